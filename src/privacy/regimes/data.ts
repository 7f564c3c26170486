import type { RegimeName, RegimeRules, RuleSource } from './model.ts';
import * as from from './sources.ts';

interface Regime {
  title: string;
  /** The question, in one or two sentences. */
  summary: string;
  rules: RegimeRules;
}

/** A rule that has had one value since a day. */
const since = <Value>(valid_from: string, value: Value, source: RuleSource, note?: string) => ({
  valid_from,
  value,
  source,
  ...(note !== undefined && { note }),
});

const EU_RULES: RegimeRules = {
  must_ask: [
    since(
      '2011-05-25',
      true,
      from.EPRIVACY,
      'Each state has a law of its own that implements the article, from which details can differ. The day is the one by which EU members had to implement it.',
    ),
  ],
  reject_equals_accept: [
    since(
      '2018-05-25',
      true,
      from.GDPR_CONSENT,
      'The report of the EDPB’s Cookie Banner Taskforce (17 January 2023, paragraph 8) says what the vast majority of the authorities require of banners: rejecting on the same layer as accepting.',
    ),
  ],
  gpc_is_opt_out: [
    since(
      '2018-05-25',
      true,
      from.GDPR_OBJECTION,
      'The article allows objections by technical specifications and names none. Pavis treats the signal as a rejection.',
    ),
  ],
  refused_until_days: [
    since(
      '2022-01-09',
      184,
      from.GARANTE,
      'At least six months, which have 184 days at most. Required by the Italian authority, which gave sites six months from 9 July 2021. The French authority calls six months good practice (Délibération 2020-092). Pavis applies it in the whole regime.',
    ),
  ],
};

/** The rules by regime. A rule that is not listed is not known to exist there. */
export const REGIMES: Record<RegimeName, Regime> = {
  eu: {
    title: 'European Economic Area',
    summary:
      'Visitors are asked before anything is stored that is not strictly necessary. Rejecting is as easy as accepting.',
    rules: EU_RULES,
  },
  uk: {
    title: 'United Kingdom',
    summary:
      'Visitors are asked, as in the EU. Statistics and appearance need clear information and an easy objection only, if the data is for the site’s own use.',
    rules: {
      must_ask: [since('2011-05-26', true, from.PECR)],
      reject_equals_accept: [
        since(
          '2019-07-03',
          true,
          from.ICO,
          'Guidance of the authority, first published on 3 July 2019; current version of 29 April 2026.',
        ),
      ],
      gpc_is_opt_out: [
        since(
          '2018-05-25',
          true,
          from.UK_GDPR_OBJECTION,
          'The article allows objections by technical specifications and names none. Pavis treats the signal as a rejection.',
        ),
      ],
      exempt_purposes: [
        since(
          '2026-02-05',
          ['statistics', 'appearance'] as const,
          from.DUAA,
          'Statistics only to improve the service or the website. Only for the site’s own use: vendors that use the data for purposes of their own still need consent. Visitors get clear information and a simple way to object.',
        ),
      ],
    },
  },
  us: {
    title: 'United States',
    summary:
      'Visitors are not asked first. They can opt out through a link, and Global Privacy Control is an opt-out. The rules are those of California, applied to the whole country.',
    rules: {
      must_ask: [
        since(
          '2020-01-01',
          false,
          from.CCPA_OPT_OUT,
          'Sale and sharing of data of children under 16 need consent before (subdivision (c)). Other states require consent for sensitive data.',
        ),
      ],
      reject_equals_accept: [
        since(
          '2023-03-29',
          true,
          from.CCPA_SYMMETRY,
          'Since 15 March 2021, § 999.315(h) required opt-outs to be easy, with few steps.',
        ),
      ],
      gpc_is_opt_out: [
        since(
          '2020-08-14',
          true,
          from.CCPA_SIGNAL,
          'First as § 999.315, from 5 May 2022 to 28 March 2023 as § 7026. Other states require it as well; Pavis honours the signal from all of them.',
        ),
      ],
      show_opt_out_link: [
        since(
          '2020-01-01',
          true,
          from.CCPA_LINK,
          'The link may be called “Your Privacy Choices” and then has the official icon (11 CCR § 7015). A cookie banner alone is not a sufficient way to opt out (11 CCR § 7026(a)(4)).',
        ),
      ],
      confirm_opt_out: [
        since(
          '2026-01-01',
          true,
          from.CCPA_CONFIRMATION,
          'For example with “Opt-out request honored”. Showing it was voluntary before.',
        ),
      ],
      refused_until_days: [
        since(
          '2020-01-01',
          366,
          from.CCPA_WAIT,
          'Twelve months. Until 2022 as subdivision (a)(5).',
        ),
      ],
    },
  },
  ch: {
    title: 'Switzerland',
    summary:
      'Visitors are asked. Swiss law requires consent for intrusive uses only, such as profiling with high risk. Pavis cannot tell them from others, so it asks about all.',
    rules: {
      must_ask: [
        since(
          '2007-04-01',
          false,
          from.FMG,
          'Visitors are informed and told that they can refuse.',
        ),
        since(
          '2025-01-22',
          true,
          from.FDPIC,
          'Guidance of the authority, updated on 6 October 2025. It requires consent for intrusive uses only, for example if third parties that are embedded in several sites get personal data of visitors for payment, and a right to object in other cases. Pavis cannot tell them apart.',
        ),
      ],
      reject_equals_accept: [
        since(
          '2025-01-22',
          true,
          from.FDPIC,
          'What Pavis makes of the guidance: consent has to be given freely. No statute says so in these words.',
        ),
      ],
      gpc_is_opt_out: [
        since(
          '2023-09-01',
          true,
          from.FADP,
          'The law forbids processing against an express declaration of intent. Pavis treats the signal as one.',
        ),
      ],
      show_opt_out_link: [
        since('2007-04-01', true, from.FMG),
        since('2025-01-22', false, from.FDPIC, 'The banner asks, so that no link is needed.'),
      ],
    },
  },
  br: {
    title: 'Brazil',
    summary: 'Visitors are asked. Cookies that are not necessary are off until they accept.',
    rules: {
      must_ask: [
        since('2014-06-23', true, from.MARCO_CIVIL),
        since('2020-09-18', true, from.LGPD_CONSENT),
      ],
      reject_equals_accept: [since('2022-10-18', true, from.ANPD, 'Guidance of the authority.')],
      gpc_is_opt_out: [
        since(
          '2020-09-18',
          true,
          from.LGPD_OBJECTION,
          'The article gives a right to object to processing without consent that breaks the law, and names no signal. Pavis treats the signal as an objection.',
        ),
      ],
    },
  },
  default: {
    title: 'All other countries',
    summary:
      'Visitors are asked as in the EU, the strictest question that Pavis knows. This is a precaution: the sources are not the law of these countries. It also applies if the country is unknown.',
    rules: EU_RULES,
  },
};
