import { type MailPart, type RenderedMail, renderMail } from '../../../mail/index.ts';
import type { BrokenPromise, Regression, WorseResource } from './rules.ts';

/** Further entries are counted only. */
const MOST_LISTED = 20;

interface Texts {
  subject: (host: string) => string;
  intro: (siteUrl: string) => string;
  withoutConsent: (count: number) => string;
  brokenPromises: (count: number) => string;
  unknownHosts: (count: number) => string;
  pages: (count: number) => string;
  when: Record<BrokenPromise, string>;
  host: string;
  more: (count: number) => string;
  open: string;
  advice: string;
}

const en: Texts = {
  subject: (host) => `Scan alert: new problems on ${host}`,
  intro: (siteUrl) => `A scan of ${siteUrl} found problems that the scan before it did not find.`,
  withoutConsent: (count) => `Load without consent: ${count}`,
  brokenPromises: (count) => `Load although the visitor rejected or withdrew: ${count}`,
  unknownHosts: (count) => `Unknown vendors: ${count}`,
  pages: (count) => (count === 1 ? '1 page' : `${count} pages`),
  when: {
    loaded_despite_rejection: 'after rejection',
    not_stopped_by_withdrawal: 'after withdrawal',
  },
  host: 'Host',
  more: (count) => `And ${count} more.`,
  open: 'Open the scan',
  advice:
    'Block the findings until consent, or record why they are allowed. You get an email only when a scan finds something new.',
};

const de: Texts = {
  subject: (host) => `Scan-Meldung: neue Probleme auf ${host}`,
  intro: (siteUrl) =>
    `Ein Scan von ${siteUrl} hat Probleme gefunden, die der Scan davor nicht gefunden hat.`,
  withoutConsent: (count) => `Ohne Einwilligung geladen: ${count}`,
  brokenPromises: (count) => `Trotz Ablehnung oder nach Widerruf geladen: ${count}`,
  unknownHosts: (count) => `Unbekannte Anbieter: ${count}`,
  pages: (count) => (count === 1 ? '1 Seite' : `${count} Seiten`),
  when: { loaded_despite_rejection: 'nach Ablehnung', not_stopped_by_withdrawal: 'nach Widerruf' },
  host: 'Host',
  more: (count) => `Und ${count} weitere.`,
  open: 'Scan öffnen',
  advice:
    'Blockieren Sie die Funde bis zur Einwilligung, oder halten Sie fest, warum sie zulässig sind. Sie erhalten nur dann eine E-Mail, wenn ein Scan etwas Neues findet.',
};

/**
 * The email to administrators about a regression.
 * @param language of the site; English is used for other languages than German
 * @param link where the console shows the scan
 */
export function renderRegression(
  { withoutConsent, brokenPromises, unknownHosts }: Regression,
  { siteUrl, language, link }: { siteUrl: string; language: string; link: string },
): RenderedMail {
  const isGerman = /^de\b/i.test(language);
  const [texts, code] = isGerman ? ([de, 'de'] as const) : ([en, 'en'] as const);
  const toFact = ({ finding, verdicts, pageUrls }: WorseResource) => {
    const when = verdicts.map((verdict) => texts.when[verdict]);
    const pages = texts.pages(new Set(pageUrls).size);
    return [finding.name || finding.host, [finding.url, ...when, pages].join(', ')] as const;
  };
  const list = (title: (count: number) => string, facts: readonly Fact[]): MailPart[] => {
    if (facts.length === 0) return [];
    const more = facts.length - MOST_LISTED;
    const rest = more > 0 ? [texts.more(more)] : [];
    return [title(facts.length), { facts: facts.slice(0, MOST_LISTED) }, ...rest];
  };
  const parts: MailPart[] = [
    texts.intro(siteUrl),
    ...list(texts.withoutConsent, withoutConsent.map(toFact)),
    ...list(texts.brokenPromises, brokenPromises.map(toFact)),
    ...list(
      texts.unknownHosts,
      unknownHosts.map((host) => [texts.host, host] as const),
    ),
    { link, label: texts.open },
    texts.advice,
  ];
  return renderMail({ language: code, subject: texts.subject(new URL(siteUrl).host), parts });
}

type Fact = readonly [name: string, value: string];
