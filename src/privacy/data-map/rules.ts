/** GDPR Art. 6(1)(a) to (f), in this order. */
export const LEGAL_BASES = [
  'consent',
  'contract',
  'legal_obligation',
  'vital_interests',
  'public_task',
  'legitimate_interests',
] as const;

export type LegalBasis = (typeof LEGAL_BASES)[number];

/** Names and common synonyms, in lower case and with underscores. */
const NAMES: [LegalBasis, RegExp][] = [
  ['consent', /^(?:(?:user|explicit)_)?consent(?:ed)?$/],
  [
    'contract',
    /^(?:performance_of_(?:a_)?)?contract(?:s|ual)?(?:_(?:performance|necessity|obligations?))?$/,
  ],
  ['legal_obligation', /^legal(?:_(?:obligations?|requirement|compliance))?$/],
  ['vital_interests', /^vital(?:_interests?)?$/],
  ['public_task', /^public(?:_(?:tasks?|interests?))?$|^official_authority$/],
  ['legitimate_interests', /^legitimate(?:_interests?)?$/],
];

/** A reference to Art. 6(1) without blanks and dots, for example `art6(1)(a)` or `article6(1)lita`. */
const ARTICLE = /^(?:gdpr)?(?:art(?:icle)?)?6\(?1\)?(?:lit)?\(?([a-f])\)?(?:gdpr)?$/;

/** Reads a legal basis by name, synonym or article; undefined if it is none. */
export function parseLegalBasis(text: string): LegalBasis | undefined {
  const plain = text.trim().toLowerCase();
  const letter = ARTICLE.exec(plain.replace(/[\s._-]+/g, ''))?.[1];
  if (letter) return LEGAL_BASES['abcdef'.indexOf(letter)];
  const name = plain.replace(/[\s_-]+/g, '_');
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0];
}

const NUMBERS = 'a one two three four five six seven eight nine ten'.split(' ');
const DAYS: Record<string, number> = { y: 365, m: 30, w: 7, d: 1, h: 1 / 24 };

const BEFORE = /^(?:for |up to |at most |no longer than |max(?:imum|\.)? |about |approximately )?/;
const PART = new RegExp(
  `(\\d{1,6}(?:\\.\\d{1,3})?|${NUMBERS.join('|')})[ -]?(years?|yrs?|y|months?|mos?|weeks?|wks?|w|days?|d|hours?|hrs?|h)\\b(?:,? and |, | )?`,
  'y',
);
/** The start of a period does not change its length. */
const AFTER = /^(?:(?:after|from|since|following) .*)?$/;

/**
 * Reads a retention period in days. A month has 30 days, a year 365, a session 0.
 * @returns null if the text is not one duration, for example "until withdrawn" and "1 to 2 years"
 */
export function parseRetentionDays(text: string): number | null {
  const plain = text.trim().toLowerCase().replace(/\s+/g, ' ').replace(/\.$/, '');
  if (plain === 'session') return 0;
  PART.lastIndex = BEFORE.exec(plain)?.[0].length ?? 0;
  let days = 0;
  let longer = Number.POSITIVE_INFINITY;
  let end = -1;
  for (let part = PART.exec(plain); part; part = PART.exec(plain)) {
    const [, count = '', unit = ''] = part;
    const word = NUMBERS.indexOf(count);
    const unitDays = DAYS[unit.charAt(0)] ?? 0;
    // Units must descend: "1 year 2 years" and "6 months 1 year" are not sums.
    if (unitDays >= longer) return null;
    longer = unitDays;
    days += (word < 0 ? Number(count) : Math.max(1, word)) * unitDays;
    end = PART.lastIndex;
  }
  if (end < 0 || !AFTER.test(plain.slice(end))) return null;
  // Part of a day counts as a day.
  return days > 0 && days < 1 ? 1 : Math.round(days);
}

/** The slug of the vendor that stands for this installation. */
export const SELF_SLUG = 'pavis-self';

interface Recipients {
  vendor_name: string;
  vendor_slug: string;
  recipients: string | null;
}

/**
 * The vendor, unless it is the site itself, and the further recipients of an entry, which line breaks or semicolons
 * separate; regardless of case, each once.
 */
export function getRecipients({ vendor_name, vendor_slug, recipients }: Recipients): string[] {
  const named = (recipients ?? '').split(/[\n;]/).map((each) => each.trim());
  // "Google, Hetzner" includes the vendor Google.
  const isInList = (each: string) =>
    each.includes(',') && each.split(',').map(fold).includes(fold(vendor_name));
  const isNamed = vendor_slug === SELF_SLUG || named.some(isInList);
  const all = isNamed ? named : [vendor_name, ...named];
  return all.filter(
    (each, at) => each !== '' && all.findIndex((other) => fold(other) === fold(each)) === at,
  );
}

const fold = (text: string): string => text.trim().toLowerCase();

/** Required by GDPR Art. 30(1)(c) to (g). The controller, (a), is a setting, and the purpose, (b), is never empty. */
export const REQUIRED_FIELDS = [
  'data_subjects',
  'data_categories',
  'third_countries',
  'safeguards',
  'retention_period',
  'security_measures',
] as const;

const NONE = /^(?:none|no|n\/a|not applicable|keine|-|–)\.?$/i;

/** Whether transfers are stated, and not that there are none. */
export function hasTransfers(thirdCountries: string | null): boolean {
  const countries = thirdCountries?.trim() ?? '';
  return countries !== '' && !NONE.test(countries);
}

/**
 * The required fields that are empty. Safeguards are required only for transfers to third countries. Recipients are
 * not required, because the vendor is one, and the site itself may have none.
 */
export function listMissingFields(
  entry: Readonly<Record<(typeof REQUIRED_FIELDS)[number], string | readonly string[] | null>> & {
    readonly third_countries: string | null;
  },
): (typeof REQUIRED_FIELDS)[number][] {
  const isEmpty = (value: string | readonly string[] | null) =>
    [value ?? []].flat().every((text) => text.trim() === '');
  return REQUIRED_FIELDS.filter(
    (field) =>
      isEmpty(entry[field]) && (field !== 'safeguards' || hasTransfers(entry.third_countries)),
  );
}

/** The recipients of all entries by name, each in its first spelling. */
export function listRecipients(entries: readonly Recipients[]): string[] {
  const byName = new Map<string, string>();
  for (const recipient of entries.flatMap(getRecipients)) {
    if (!byName.has(fold(recipient))) byName.set(fold(recipient), recipient);
  }
  return [...byName.values()].sort((a, b) => a.localeCompare(b, 'en'));
}
