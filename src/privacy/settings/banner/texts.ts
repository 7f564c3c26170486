import { type ConsentConfig, TEXT_NAMES } from './schemas.ts';

const RIGHT_TO_LEFT = /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)(-|$)/i;

/**
 * The texts in the best matching language: the requested one, the same without its region, or the first language of
 * the site. A text that a translation lacks is in the first language.
 */
export function getTexts(config: ConsentConfig, language: string) {
  const { languages, translations } = config;
  const first = languages[0] ?? 'en';
  const asked = language.toLowerCase();
  const closest = [asked, asked.split('-')[0]].find((tag) =>
    [first, ...translations.map((each) => each.language)].some(
      (name) => name.toLowerCase() === tag,
    ),
  );
  const found = translations.find((each) => each.language.toLowerCase() === closest);
  const shown = found?.language ?? first;
  const texts = TEXT_NAMES.map((name) => [name, found?.[name] ?? config[name]] as const);
  return {
    language: shown,
    direction: RIGHT_TO_LEFT.test(shown) ? ('rtl' as const) : ('ltr' as const),
    ...(Object.fromEntries(texts) as Pick<ConsentConfig, (typeof TEXT_NAMES)[number]>),
    categories: Object.fromEntries(
      config.categories.map((category) => {
        const translated = found?.categories?.find(({ id }) => id === category.id);
        const { label, description } = { ...category, ...translated };
        return [category.id, { label, description }];
      }),
    ),
  };
}
