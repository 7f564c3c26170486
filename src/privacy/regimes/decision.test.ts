import { describe, expect, it } from 'vitest';
import { decideOptIn } from '../../../web/banner/decision.ts';
import { confirmsOptOut, decideOptOut } from '../../../web/banner/opt-out.ts';
import type { Choice } from '../../../web/banner/wire.ts';
import { toBannerRules } from './banner-rules.ts';
import { getRegimeFor } from './choice.ts';
import type { ExemptPurpose, RegimeName, RegimeSettings } from './model.ts';

const DAY = '2026-11-26';
interface Settings {
  regimes: RegimeSettings;
  categories: { id: string; required: boolean; own_use?: ExemptPurpose }[];
  expiry_days: number;
  refused_until_days: number;
}
const SETTINGS: Settings = {
  regimes: { mode: 'by_country', overrides: [] },
  categories: [
    { id: 'functional', required: true },
    { id: 'analytics', required: false, own_use: 'statistics' },
    { id: 'marketing', required: false },
  ],
  expiry_days: 365,
  refused_until_days: 182,
};

interface Earlier {
  accepted: string[];
  rejected: string[];
  ageDays: number;
  isVersionValid: boolean;
  gpc: boolean;
  optedOut: boolean;
}

/** What the server and the banner decide for a visitor of a country. */
function decide(
  country: string | undefined,
  { gpc }: { gpc: boolean },
  earlier: Earlier | undefined,
  day: string,
  { regimes, categories, expiry_days, refused_until_days }: Settings,
) {
  const { rules: values } = getRegimeFor(country, regimes, day);
  const rules = toBannerRules(values, { categories, refused_until_days });
  const choice: Choice | undefined = earlier && {
    visitor_id: 'a-visitor',
    consent_action: 'manage',
    categories_accepted: ['functional', ...earlier.accepted],
    categories_rejected: earlier.rejected,
    version: 1,
    at: 0,
    until: 0,
    gpc: earlier.gpc,
    ...(earlier.optedOut && { opted_out: 1 }),
  };
  const { asks, holds, accepts, record } = (rules.opt_out ? decideOptOut : decideOptIn)({
    rules,
    gpc,
    choice,
    age: earlier?.ageDays ?? 0,
    isCurrent: earlier?.isVersionValid ?? true,
    isConsent: (earlier?.accepted.length ?? 0) > 0,
    expiry_days,
  });
  const otherwise = rules.opt_out_link ? 'opt_out_link' : 'nothing';
  return {
    action: asks ? 'ask' : otherwise,
    on: categories.filter(({ id, required }) => required || accepts(id)).map(({ id }) => id),
    confirmOptOut: confirmsOptOut(rules, gpc && !holds ? 'gpc' : null),
    recordOptOut: record === true,
  };
}

const SIGNALS = ['no', 'yes'];
/** `partial`: analytics accepted, marketing rejected. `…+out`: the signal was recorded as an opt-out afterwards. */
const CHOICES = ['none', 'accepted', 'refused', 'partial', 'accepted+out', 'partial+out'];
const VERSIONS = ['valid', 'outdated'];
const AGES = ['10', '200', '400'];

/**
 * Every combination by hand. Columns: whether the browser sends Global Privacy Control; the earlier choice; whether it
 * was sent when the choice was made; whether consent to that banner version is valid; days since the choice → what the
 * banner does, which optional categories are on, whether the opt-out is confirmed and recorded.
 *
 * Sources. eu: Directive 2002/58/EC Art. 5(3) (ask first), GDPR Art. 21(5) (signal), Garante 10 June 2021 (six months).
 * If the signal contradicts earlier consent, the visitor is asked, because neither says more than the other (not a rule of law).
 * ch: FDPIC guidelines of 22 January 2025. br: LGPD Art. 7, 8 and 18. default: the strictest, as eu.
 */
const OPT_IN = `
gpc | choice                   | gpc then | version  | days       | action  | on                  | confirm | record
no  | none                     | *        | *        | *          | ask     | -                   | no      | no
no  | accepted                 | *        | valid    | 10 200     | nothing | analytics marketing | no      | no
no  | accepted                 | *        | valid    | 400        | ask     | -                   | no      | no
no  | refused                  | *        | valid    | 10         | nothing | -                   | no      | no
no  | refused                  | *        | valid    | 200 400    | ask     | -                   | no      | no
no  | partial                  | *        | valid    | 10 200     | nothing | analytics           | no      | no
no  | partial                  | *        | valid    | 400        | ask     | -                   | no      | no
no  | accepted refused partial | *        | outdated | *          | ask     | -                   | no      | no
no  | accepted+out partial+out | *        | *        | *          | ask     | -                   | no      | no
yes | none                     | *        | *        | *          | nothing | -                   | no      | no
yes | accepted                 | yes      | valid    | 10 200     | nothing | analytics marketing | no      | no
yes | accepted                 | yes      | valid    | 400        | nothing | -                   | no      | no
yes | accepted                 | yes      | outdated | *          | nothing | -                   | no      | no
yes | accepted                 | no       | valid    | 10 200     | ask     | -                   | no      | no
yes | accepted                 | no       | valid    | 400        | nothing | -                   | no      | no
yes | accepted                 | no       | outdated | *          | nothing | -                   | no      | no
yes | refused                  | *        | *        | *          | nothing | -                   | no      | no
yes | partial                  | yes      | valid    | 10 200     | nothing | analytics           | no      | no
yes | partial                  | yes      | valid    | 400        | nothing | -                   | no      | no
yes | partial                  | yes      | outdated | *          | nothing | -                   | no      | no
yes | partial                  | no       | valid    | 10 200     | ask     | -                   | no      | no
yes | partial                  | no       | valid    | 400        | nothing | -                   | no      | no
yes | partial                  | no       | outdated | *          | nothing | -                   | no      | no
yes | accepted+out partial+out | *        | *        | *          | nothing | -                   | no      | no
`;

/**
 * PECR reg. 6 and Schedule A1 (Data (Use and Access) Act 2025, s. 112): as above, but statistics for own use (here
 * `analytics`) are on with notice until the visitor objects. The banner is the notice, Reject and the signal are
 * objections. No law sets a time for refusals, so the setting applies. At these ages it has the same effect as in the EU.
 */
const UK = `
gpc | choice                   | gpc then | version  | days       | action  | on                  | confirm | record
no  | none                     | *        | *        | *          | ask     | analytics           | no      | no
no  | accepted                 | *        | valid    | 10 200     | nothing | analytics marketing | no      | no
no  | accepted                 | *        | valid    | 400        | ask     | analytics           | no      | no
no  | refused                  | *        | valid    | 10         | nothing | -                   | no      | no
no  | refused                  | *        | valid    | 200 400    | ask     | -                   | no      | no
no  | partial                  | *        | valid    | 10 200     | nothing | analytics           | no      | no
no  | partial                  | *        | valid    | 400        | ask     | analytics           | no      | no
no  | accepted partial         | *        | outdated | *          | ask     | analytics           | no      | no
no  | refused                  | *        | outdated | *          | ask     | -                   | no      | no
no  | accepted+out partial+out | *        | *        | *          | ask     | -                   | no      | no
yes | none                     | *        | *        | *          | nothing | -                   | no      | no
yes | accepted                 | yes      | valid    | 10 200     | nothing | analytics marketing | no      | no
yes | accepted                 | yes      | valid    | 400        | nothing | -                   | no      | no
yes | accepted                 | yes      | outdated | *          | nothing | -                   | no      | no
yes | accepted                 | no       | valid    | 10 200     | ask     | -                   | no      | no
yes | accepted                 | no       | valid    | 400        | nothing | -                   | no      | no
yes | accepted                 | no       | outdated | *          | nothing | -                   | no      | no
yes | refused                  | *        | *        | *          | nothing | -                   | no      | no
yes | partial                  | yes      | valid    | 10 200     | nothing | analytics           | no      | no
yes | partial                  | yes      | valid    | 400        | nothing | -                   | no      | no
yes | partial                  | yes      | outdated | *          | nothing | -                   | no      | no
yes | partial                  | no       | valid    | 10 200     | ask     | -                   | no      | no
yes | partial                  | no       | valid    | 400        | nothing | -                   | no      | no
yes | partial                  | no       | outdated | *          | nothing | -                   | no      | no
yes | accepted+out partial+out | *        | *        | *          | nothing | -                   | no      | no
`;

/**
 * California Civil Code § 1798.120 (no question first), § 1798.135(a) (link), (c)(4) (an opt-out does not end by
 * itself); 11 CCR § 7025(c)(1) (the signal is an opt-out), (c)(3) (a conflict with consent is honoured and may be asked),
 * (c)(5) and 4 CCR 904-3 Rule 5.09(B) (a missing signal is no consent), (c)(6) (confirmation).
 */
const US = `
gpc | choice                   | gpc then | version  | days       | action       | on                  | confirm | record
no  | none                     | *        | *        | *          | opt_out_link | analytics marketing | no      | no
no  | accepted                 | *        | *        | *          | opt_out_link | analytics marketing | no      | no
no  | refused                  | *        | *        | *          | opt_out_link | -                   | no      | no
no  | partial                  | *        | *        | *          | opt_out_link | analytics           | no      | no
no  | accepted+out partial+out | *        | *        | *          | opt_out_link | -                   | no      | no
yes | none                     | *        | *        | *          | opt_out_link | -                   | yes     | yes
yes | accepted                 | yes      | valid    | 10 200     | opt_out_link | analytics marketing | no      | no
yes | accepted                 | yes      | valid    | 400        | opt_out_link | -                   | yes     | yes
yes | accepted                 | yes      | outdated | *          | opt_out_link | -                   | yes     | yes
yes | accepted                 | no       | valid    | 10 200     | ask          | -                   | yes     | yes
yes | accepted                 | no       | valid    | 400        | opt_out_link | -                   | yes     | yes
yes | accepted                 | no       | outdated | *          | opt_out_link | -                   | yes     | yes
yes | refused                  | yes      | *        | *          | opt_out_link | -                   | yes     | no
yes | refused                  | no       | *        | *          | opt_out_link | -                   | yes     | yes
yes | partial                  | yes      | valid    | 10 200     | opt_out_link | analytics           | no      | no
yes | partial                  | yes      | valid    | 400        | opt_out_link | -                   | yes     | yes
yes | partial                  | yes      | outdated | *          | opt_out_link | -                   | yes     | yes
yes | partial                  | no       | valid    | 10 200     | ask          | -                   | yes     | yes
yes | partial                  | no       | valid    | 400        | opt_out_link | -                   | yes     | yes
yes | partial                  | no       | outdated | *          | opt_out_link | -                   | yes     | yes
yes | accepted+out partial+out | yes      | *        | *          | opt_out_link | -                   | yes     | no
yes | accepted+out partial+out | no       | valid    | 10 200     | ask          | -                   | yes     | no
yes | accepted+out partial+out | no       | valid    | 400        | opt_out_link | -                   | yes     | no
yes | accepted+out partial+out | no       | outdated | *          | opt_out_link | -                   | yes     | no
`;

const TABLES: [RegimeName, string | undefined, string][] = [
  ['eu', 'DE', OPT_IN],
  ['ch', 'CH', OPT_IN],
  ['br', 'BR', OPT_IN],
  ['default', 'JP', OPT_IN],
  ['default', undefined, OPT_IN],
  ['uk', 'GB', UK],
  ['us', 'US', US],
];

const COMBINATIONS = SIGNALS.flatMap((gpc) =>
  CHOICES.flatMap((choice) =>
    (choice === 'none' ? ['no'] : SIGNALS).flatMap((then) =>
      (choice === 'none' ? ['valid'] : VERSIONS).flatMap((version) =>
        (choice === 'none' ? ['10'] : AGES).map((days) => [gpc, choice, then, version, days]),
      ),
    ),
  ),
);

/** The result that a table has for a combination, which must be in exactly one line. */
function lookUp(table: string, combination: string[]): string[] {
  const lines = table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const found = lines.filter((cells) =>
    combination.every((value, index) => {
      const allowed = cells[index] as string;
      return allowed === '*' || allowed.split(' ').includes(value);
    }),
  );
  expect(found, combination.join(' ')).toHaveLength(1);
  return (found[0] as string[]).slice(5);
}

function toChoice([, choice = '', then, version, days]: string[]): Earlier | undefined {
  const [kind, out] = choice.split('+');
  if (kind === 'none') return undefined;
  const all = ['analytics', 'marketing'];
  const accepted = { accepted: all, refused: [], partial: ['analytics'] }[kind as 'partial'];
  return {
    accepted,
    rejected: all.filter((id) => !accepted.includes(id)),
    ageDays: Number(days),
    isVersionValid: version === 'valid',
    gpc: then === 'yes',
    optedOut: out !== undefined,
  };
}

describe('decide', () => {
  it('covers 2 × (1 + 5 × 2 × 2 × 3) combinations', () => {
    expect(COMBINATIONS).toHaveLength(122);
  });

  it.each(TABLES)('follows the table of %s, country %s', (_regime, country, table) => {
    for (const combination of COMBINATIONS) {
      const gpc = combination[0] === 'yes';
      const decided = decide(country, { gpc }, toChoice(combination), DAY, SETTINGS);
      const [action, on, confirm, record] = lookUp(table, combination);
      const optional = decided.on.filter((id) => id !== 'functional').join(' ') || '-';
      const flag = (isSet: boolean) => (isSet ? 'yes' : 'no');
      expect(
        [decided.action, optional, flag(decided.confirmOptOut), flag(decided.recordOptOut)],
        `${country} ${combination.join(' ')}`,
      ).toEqual([action, on, confirm, record]);
      expect(decided.on).toContain('functional');
    }
  });

  it('exempts a category in the UK only if it is marked as own use, and only since 5 February 2026', () => {
    const uk = (day: string, categories = SETTINGS.categories) =>
      decide('GB', { gpc: false }, undefined, day, { ...SETTINGS, categories }).on;
    expect(uk('2026-02-04')).toEqual(['functional']);
    expect(uk('2026-02-05')).toEqual(['functional', 'analytics']);
    const unmarked = SETTINGS.categories.map(({ id, required }) => ({ id, required }));
    expect(uk(DAY, unmarked)).toEqual(['functional']);
  });

  it('confirms the opt-out in the US since 1 January 2026', () => {
    const confirms = (day: string) =>
      decide('US', { gpc: true }, undefined, day, SETTINGS).confirmOptOut;
    expect([confirms('2025-12-31'), confirms('2026-01-01')]).toEqual([false, true]);
  });

  describe('lifetimes of consent and refusal', () => {
    const asks = (
      kind: string,
      days: number,
      settings: Partial<typeof SETTINGS>,
      country: string | undefined = 'DE',
    ) =>
      decide(country, { gpc: false }, toChoice(['no', kind, 'no', 'valid', String(days)]), DAY, {
        ...SETTINGS,
        ...settings,
      }).action === 'ask';

    it('asks again on the day on which a refusal or consent ends, not before', () => {
      expect([asks('refused', 183, {}), asks('refused', 184, {})]).toEqual([false, true]);
      expect([asks('accepted', 364, {}), asks('accepted', 365, {})]).toEqual([false, true]);
    });

    it('lets refusals last as long as the regime requires, whatever the setting', () => {
      const short = { refused_until_days: 30 };
      expect([asks('refused', 183, short), asks('refused', 184, short)]).toEqual([false, true]);
      expect([asks('refused', 29, short, 'GB'), asks('refused', 30, short, 'GB')]).toEqual([
        false,
        true,
      ]);
      expect(asks('refused', 364, { refused_until_days: 400 })).toBe(false);
    });

    it('does not ask about a partial refusal before it ends, although its consent has expired', () => {
      const settings = { expiry_days: 90 };
      const earlier = toChoice(['no', 'partial', 'no', 'valid', '100']);
      const decided = decide('DE', { gpc: false }, earlier, DAY, { ...SETTINGS, ...settings });
      expect([decided.action, decided.on]).toEqual(['nothing', ['functional']]);
      expect(asks('partial', 184, settings)).toBe(true);
    });
  });

  describe('opt-in everywhere', () => {
    const regimes: RegimeSettings = { mode: 'opt_in_everywhere', overrides: [] };
    const everywhere = { ...SETTINGS, regimes };

    it('asks in each country, and exempts nothing', () => {
      for (const country of ['DE', 'GB', 'US', 'CH', 'BR', 'JP', undefined]) {
        const { action, on } = decide(country, { gpc: false }, undefined, DAY, everywhere);
        expect([action, on]).toEqual(['ask', ['functional']]);
      }
    });

    it('keeps the link and the confirmation that the law of the country requires', () => {
      const decided = decide('US', { gpc: true }, undefined, DAY, everywhere);
      expect(decided).toMatchObject({ action: 'opt_out_link', confirmOptOut: true });
    });
  });

  it('never applies laxer rules than those of the country itself', () => {
    const regimes: RegimeSettings = {
      mode: 'by_country',
      overrides: [
        { country: 'DE', regime: 'us' },
        { country: 'US', regime: 'eu' },
      ],
    };
    const inCountry = (country: string) =>
      decide(country, { gpc: false }, undefined, DAY, { ...SETTINGS, regimes });
    expect(inCountry('DE')).toMatchObject({ action: 'ask', on: ['functional'] });
    expect(inCountry('US')).toMatchObject({ action: 'ask', on: ['functional'] });
  });
});
