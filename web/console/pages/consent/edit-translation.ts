import type { ConsentSettings } from '../../api/types.ts';
import type { CategoryTexts, Translation } from './banner-texts.ts';

/** Replaces the translation into the same language, or adds one. */
export const withTranslation = (
  all: readonly Translation[],
  changed: Translation,
): Translation[] =>
  all.some(({ language }) => language === changed.language)
    ? all.map((each) => (each.language === changed.language ? changed : each))
    : [...all, changed];

/** A translation with texts of the categories that exist only. */
export const withKnownCategories = (
  translation: Translation,
  { categories }: ConsentSettings,
): Translation => ({
  ...translation,
  ...(translation.categories && {
    categories: translation.categories.filter((each) =>
      categories.some(({ id }) => id === each.id),
    ),
  }),
});

/** The translations after a category got another ID. */
export const withCategoryId = (
  all: readonly Translation[],
  before: string,
  id: string,
): Translation[] =>
  all.map((each) => ({
    ...each,
    ...(each.categories && {
      categories: each.categories.map((texts) => (texts.id === before ? { ...texts, id } : texts)),
    }),
  }));

export const withCategoryTexts = (
  translation: Translation,
  changed: CategoryTexts,
): Translation => ({
  ...translation,
  categories: [...(translation.categories ?? []).filter(({ id }) => id !== changed.id), changed],
});
