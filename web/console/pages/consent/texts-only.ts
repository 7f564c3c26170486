import type { ConsentSettings, SettingsImport } from '../../api/types.ts';
import { getCategoryTexts, getFirstLanguage, getTranslation, TEXTS } from './banner-texts.ts';

type Update = NonNullable<SettingsImport['update']['consent']>;

/** The settings that users may change who may change texts only, as on the server. */
const NAMES: readonly string[] = [...TEXTS.map(([name]) => name), 'languages', 'translations'];

/** Whether a change of an import is one of a text. */
export const isTextChange = ({
  field,
  before,
  after,
}: SettingsImport['changes'][number]): boolean =>
  /^consent\.categories\[[^\]]+\]\.(label|description)$/.test(field)
    ? before !== null && after !== null
    : NAMES.includes(field.split(/[.[]/)[1] ?? '');

/** The texts of an update, for the categories that there are. */
export function toTextsOnly(update: Update, saved: ConsentSettings): Update {
  const texts = Object.entries(update).filter(([name]) => NAMES.includes(name));
  const first = getFirstLanguage({ ...saved, ...update } as ConsentSettings);
  const translated =
    first === getFirstLanguage(saved) ? { language: first } : getTranslation(saved, first);
  const categories = saved.categories.map((category) => {
    const { label, description } = {
      ...category,
      ...getCategoryTexts(translated, category.id),
      ...update.categories?.find(({ id }) => id === category.id),
    };
    return { ...category, label, description };
  });
  return {
    ...Object.fromEntries(texts),
    categories,
    ...(update.translations && {
      translations: update.translations.map((translation) => {
        const before = getTranslation(saved, translation.language);
        const known = saved.categories.map(({ id }) => ({
          ...getCategoryTexts(before, id),
          ...getCategoryTexts(translation, id),
        }));
        return { ...translation, categories: known.filter((each) => Object.keys(each).length > 1) };
      }),
    }),
  };
}
