import type { Static } from 'typebox';
import type { BannerLanguageTexts } from '../banner/languages/schemas.ts';
import { type ConsentConfig, TEXT_NAMES, type Translation } from '../banner/schemas.ts';
import { type Draft, LANGUAGES_MAX } from './draft.ts';

type Texts = Static<typeof Translation>;
/** The texts that Pavis ships, by language. */
export type Shipped = ReadonlyMap<string, BannerLanguageTexts>;

/**
 * The banner settings of a draft as an update: only what differs. A text that the file lacks is the current one in the
 * same language, or else the one that Pavis ships. Languages that the file lacks stay.
 */
export function toConsentUpdate(
  draft: Draft,
  current: ConsentConfig,
  shipped: Shipped,
): Partial<ConsentConfig> {
  const { position, expiryDays, privacyUrl } = draft;
  const categories = toCategories(draft, current, shipped);
  const wanted = {
    ...(position !== undefined && { position: position as ConsentConfig['position'] }),
    ...(expiryDays !== undefined && { expiry_days: expiryDays }),
    ...(privacyUrl !== undefined && { privacy_url: privacyUrl }),
    ...(draft.texts.size > 0 && toTexts(draft, { ...current, categories }, current, shipped)),
    categories,
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(current[name as never]),
    ),
  );
}

const isSameTag = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();
const getFirst = ({ languages }: ConsentConfig): string => languages[0] ?? 'en';

/** The current texts in a language. The original ones are outside `translations`. */
function getCurrent(current: ConsentConfig, language: string): Texts | undefined {
  if (!isSameTag(language, getFirst(current)))
    return current.translations.find((each) => isSameTag(each.language, language));
  const texts = TEXT_NAMES.map((name) => [name, current[name]]);
  const categories = current.categories.map(({ id, label, description }) => ({
    id,
    label,
    description,
  }));
  return { language, ...Object.fromEntries(texts), categories };
}

function toTexts(draft: Draft, next: ConsentConfig, current: ConsentConfig, shipped: Shipped) {
  const { first, notes } = draft;
  const languages = [...new Set([first, ...draft.texts.keys()])];
  const kept = [
    getFirst(current),
    ...current.languages,
    ...current.translations.map((each) => each.language),
  ]
    .filter((tag, at, all) => all.findIndex((each) => isSameTag(each, tag)) === at)
    .filter((tag) => !languages.some((each) => isSameTag(each, tag)))
    .slice(0, LANGUAGES_MAX - languages.length);
  if (kept.length > 0)
    notes.push(
      `The file has no texts in ${kept.join(', ')}. Those of Pavis stay. Compare them with the imported ones.`,
    );
  const original = toTranslation(draft, next, current, shipped, first);
  const { language: _, categories: __, needs_review: isMachineMade, ...texts } = original;
  if (isMachineMade)
    notes.push(`Some texts in ${first} are machine-translated by Pavis. Have them reviewed.`);
  const translated = languages
    .filter((tag) => tag !== first)
    .map((tag) => toTranslation(draft, next, current, shipped, tag));
  const known = next.categories.map(({ id }) => id);
  const others = kept
    .flatMap((tag) => getCurrent(current, tag) ?? [])
    .map((texts) => ({
      ...texts,
      ...(texts.categories && {
        categories: texts.categories.filter(({ id }) => known.includes(id)),
      }),
    }));
  return {
    ...Object.fromEntries(TEXT_NAMES.map((name) => [name, texts[name] ?? current[name]])),
    languages: [...languages, ...kept],
    translations: [...translated, ...others],
  };
}

function toTranslation(
  draft: Draft,
  { categories }: ConsentConfig,
  current: ConsentConfig,
  shipped: Shipped,
  language: string,
): Texts {
  const imported = draft.texts.get(language) ?? {};
  const own = getCurrent(current, language);
  const ours = shipped.get(language);
  const texts = TEXT_NAMES.flatMap((name) => {
    const text = imported[name] ?? own?.[name] ?? ours?.[name];
    return text === undefined ? [] : [[name, text] as const];
  });
  const isFilledIn = TEXT_NAMES.some(
    (name) => imported[name] === undefined && own?.[name] === undefined,
  );
  const missing = TEXT_NAMES.filter((name) => imported[name] === undefined);
  if (missing.length > 0) {
    const from = own
      ? 'Those of Pavis stay'
      : ours
        ? 'Texts of Pavis were added: check that they describe your categories'
        : 'Visitors see those in the first language';
    draft.notes.push(`The file has no ${missing.join(', ')} in ${language}. ${from}.`);
  }
  const needsReview = (isFilledIn && ours?.needs_review) || own?.needs_review;
  return {
    language,
    ...Object.fromEntries(texts),
    categories: categories.flatMap(({ id }) => {
      const [of, old, added] = [
        draft.categories.find((each) => each.id === id),
        own?.categories?.find((each) => each.id === id),
        ours?.categories.find((each) => each.id === id),
      ];
      const label = of?.label.get(language) ?? old?.label ?? added?.label;
      const description = of?.description.get(language) ?? old?.description ?? added?.description;
      if (label === undefined && description === undefined) return [];
      return [{ id, ...(label && { label }), ...(description !== undefined && { description }) }];
    }),
    ...(needsReview && { needs_review: true }),
  };
}

/** The categories of the file. Those of Pavis if it has none; its necessary one is never lost. */
function toCategories(
  draft: Draft,
  current: ConsentConfig,
  shipped: Shipped,
): ConsentConfig['categories'] {
  const { first, notes } = draft;
  if (draft.categories.length === 0) return current.categories;
  const old = getCurrent(current, first)?.categories;
  const ours = shipped.get(first)?.categories;
  const read = draft.categories.map(({ id, name, isNecessary, label, description }) => {
    const [known, added] = [old, ours].map((list) => list?.find((each) => each.id === id));
    return {
      id,
      label: label.get(first) ?? known?.label ?? added?.label ?? toLabel(name),
      description: description.get(first) ?? known?.description ?? added?.description ?? '',
      required: isNecessary,
    };
  });
  const removed = current.categories.filter(
    ({ id, required }) => !required && !read.some((each) => each.id === id),
  );
  if (removed.length > 0)
    notes.push(
      `The file has no category ${removed.map(({ id }) => id).join(', ')}. Scripts of a removed category stay blocked until they get another one.`,
    );
  if (read.some(({ required }) => required)) return read;
  notes.push('The file has no strictly necessary category. That of Pavis stays.');
  const necessary = current.categories.filter(
    ({ id, required }) => required && !read.some((each) => each.id === id),
  );
  return [...necessary, ...read];
}

const toLabel = (name: string): string =>
  (
    name
      .toWellFormed()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim() || 'Category'
  ).slice(0, 100);
