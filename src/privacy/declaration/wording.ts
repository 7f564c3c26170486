import type { LegalBasis } from '../data-map/index.ts';
import { NO_NAME } from '../scanner/index.ts';
import type { SiteSettings } from '../settings/index.ts';
import { formatDuration } from './durations.ts';
import type { Recipient, StoredItem } from './rules.ts';
import type { DeclaredCategory, DeclaredRecipient } from './schemas.ts';
import type { Texts } from './texts/index.ts';
import { toVisitorPurpose } from './texts/vendor-purposes.ts';

interface Wording {
  language: string;
  texts: Texts;
  /** Name of the controller, or host of the site. */
  organisation: string;
  /** The law of the site, as in the settings. */
  regime: SiteSettings['dsar']['regime'];
  /** The consent categories of the site, in its order. */
  categories: readonly { id: string; label: string; description: string }[];
}

/** The recipients by category, in the order of the settings; what has none of these categories comes last. */
export function toCategories(
  recipients: readonly Recipient[],
  wording: Wording,
): DeclaredCategory[] {
  const { categories, texts } = wording;
  const ids = categories.map(({ id }) => id);
  const all = [...categories, { id: null, ...texts.unclassified }];
  return all
    .map((category) => ({
      ...category,
      recipients: recipients
        .filter((each) =>
          category.id === null
            ? each.category === null || !ids.includes(each.category)
            : each.category === category.id,
        )
        .map((each) => toDeclaredRecipient(each, wording)),
    }))
    .filter((category) => category.recipients.length > 0);
}

function toDeclaredRecipient(
  { vendor, host, domains, stored, entries }: Recipient,
  { language, texts, organisation, regime }: Wording,
): DeclaredRecipient {
  const purposes = entries.length > 0 ? entries.map(({ purpose }) => purpose) : [vendor?.purpose];
  return {
    name: vendor?.name ?? host ?? `${texts.site} (${organisation})`,
    kind: vendor ? 'vendor' : host === null ? 'site' : 'host',
    slug: vendor?.slug ?? null,
    note: vendor || host === null ? null : texts.unknownHost,
    purposes: listStated(purposes.map((each = '') => toVisitorPurpose(each, language))),
    legal_bases: listStated(
      entries.map(({ legal_basis: basis }) => describeLegalBasis(basis, texts, regime)),
    ),
    third_countries: listStated(entries.map((entry) => entry.third_countries)),
    safeguards: listStated(entries.map((entry) => entry.safeguards)),
    domains,
    stored: stored.map((item) => toDeclaredStorage(item, language, texts)),
  };
}

/** The letters of Art. 6(1) of the GDPR and of the UK GDPR. Other laws have other lists of legal bases. */
const LETTERS: Record<LegalBasis, string> = {
  consent: 'a',
  contract: 'b',
  legal_obligation: 'c',
  vital_interests: 'd',
  public_task: 'e',
  legitimate_interests: 'f',
};

function describeLegalBasis(basis: string, texts: Texts, regime: Wording['regime']): string {
  if (!Object.hasOwn(LETTERS, basis)) return basis;
  const known = basis as LegalBasis;
  const label = texts.legalBases[known];
  return regime === 'gdpr' || regime === 'uk'
    ? `${label}, ${texts.legalBasisArticle(LETTERS[known], regime)}`
    : label;
}

/** Each text once, without empty ones. */
const listStated = (given: readonly (string | null | undefined)[]): string[] => [
  ...new Set(given.map((each) => each?.trim()).filter((each): each is string => Boolean(each))),
];

/** The name of a cookie or storage key, in words if it has none. */
export const formatName = ({ name }: Pick<StoredItem, 'name'>, { noName }: Texts): string =>
  name === NO_NAME ? noName : name;

/** The purpose that the owner of the site states; that of the banner's own cookies and storage keys is known. */
export const findPurpose = (
  { name, purpose }: Pick<StoredItem, 'name' | 'purpose'>,
  { bannerStorage }: Texts,
): string | null => purpose ?? new Map(Object.entries(bannerStorage)).get(name) ?? null;

function toDeclaredStorage(item: StoredItem, language: string, texts: Texts) {
  const duration = formatDuration(item.duration, language, texts);
  const usual = item.usual === undefined ? duration : formatDuration(item.usual, language, texts);
  return {
    name: formatName(item, texts),
    kind: item.kind,
    kind_label: texts.kinds[item.kind],
    domain: item.domain,
    duration,
    duration_seconds: typeof item.duration === 'number' ? item.duration : null,
    usual_duration: usual === duration ? null : texts.usual(usual),
    purpose: findPurpose(item, texts),
  };
}
