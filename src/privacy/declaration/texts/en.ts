import type { LEGAL_BASES } from '../../data-map/index.ts';
import type { STORED_KINDS } from '../rules.ts';

/** The texts of the declaration, for visitors. */
export const en = {
  /** The language's own name, for the language switch. */
  name: 'English',
  skip: 'Skip to main content',
  languages: 'Language',
  title: 'Cookies and third parties',
  lead: (organisation: string) =>
    `What the website of ${organisation} stores in your browser, and which third parties it loads content from.`,
  basis: (day: string, pages: number) =>
    `Based on a scan of ${pages === 1 ? '1 page' : `${pages} pages`} of the website on ${day}.`,
  withoutBrowser:
    'The pages were read without a browser. What scripts load or store may be missing.',
  limits:
    'The list shows what the scan observed. Pages that were not scanned, sign-in areas and content shown to some visitors only can load or store more.',
  none: 'The website has not been scanned yet. The list appears after the first scan.',
  nothing: 'The scan observed no third parties, cookies or browser storage.',
  unclassified: {
    label: 'Not classified',
    description: 'Observed on the website, but not assigned to a category yet.',
  },
  site: 'This website',
  unknownHost: 'The operator of this host is not identified.',
  purpose: 'Purpose',
  legalBasis: 'Legal basis',
  domains: 'Domains',
  thirdCountries: 'Transfers to third countries',
  safeguards: 'Safeguards',
  notStated: 'Not stated',
  columns: {
    name: 'Name',
    kind: 'Type',
    domain: 'Domain',
    duration: 'Stored for (observed)',
  },
  /** In place of the name of a cookie that has none. */
  noName: '(without a name)',
  /** A caption of the table of stored items. */
  stored: (recipient: string) => `Cookies and storage: ${recipient}`,
  usual: (duration: string) => `typically ${duration}`,
  kinds: {
    cookie: 'Cookie',
    local: 'Local storage',
    session: 'Session storage',
    indexeddb: 'Database in the browser',
  } satisfies Record<(typeof STORED_KINDS)[number], string>,
  /** Purposes of the cookies and storage keys of the banner, by name. */
  bannerStorage: {
    pavis_consent: 'Remembers your privacy choices.',
    pavis_queue: 'Holds your privacy choices until they have reached the server.',
  },
  durations: {
    session: 'until the end of the session',
    untilDeleted: 'until you delete it',
  },
  legalBases: {
    consent: 'Consent',
    contract: 'Contract',
    legal_obligation: 'Legal obligation',
    vital_interests: 'Vital interests',
    public_task: 'Public task',
    legitimate_interests: 'Legitimate interests',
  } satisfies Record<(typeof LEGAL_BASES)[number], string>,
  /** @param letter of the legal basis in Art. 6(1), under both laws */
  legalBasisArticle: (letter: string, law: 'gdpr' | 'uk') =>
    `Art. 6(1)(${letter}) ${{ gdpr: 'GDPR', uk: 'UK GDPR' }[law]}`,
  toRequests: 'Make a privacy request',
  faults: {
    notFound: { title: 'Page not found', text: 'Check the address.' },
    other: { title: 'Something went wrong', text: 'Try again in a moment.' },
  },
};

export type Texts = typeof en;
