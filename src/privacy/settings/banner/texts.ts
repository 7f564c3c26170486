import { InvalidFieldError } from '../../../platform/errors.ts';
import { getDirection } from '../../../platform/text-direction.ts';
import { type ConsentConfig, TEXT_NAMES } from './schemas.ts';

/** The languages in which the banner has texts; the first is that of the texts outside `translations`. */
export const listTextLanguages = ({
  languages,
  translations,
}: Pick<ConsentConfig, 'languages' | 'translations'>): [string, ...string[]] => [
  languages[0] ?? 'en',
  ...translations.map(({ language }) => language),
];

/**
 * The texts in the best matching language: the requested one, the same without its region, one of the same language
 * and script (`zh-Hans` for `zh-CN`), or the first language of the site. A text that a translation lacks is in the
 * first language.
 */
export function getTexts(config: ConsentConfig, language: string) {
  const offered = listTextLanguages(config);
  const closest = findClosest(language, offered);
  const found = config.translations.find((each) => each.language === closest);
  const shown = found?.language ?? offered[0];
  const texts = TEXT_NAMES.map((name) => [name, found?.[name] ?? config[name]] as const);
  return {
    language: shown,
    direction: getDirection(shown),
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

/** The texts that visitors see: the messages say as well where the choice applies, if it is shared. */
export function getShownTexts(config: ConsentConfig, language: string) {
  const texts = getTexts(config, language);
  if (!config.shared_choices) return texts;
  const { message, opt_out_message, shared_text } = texts;
  return {
    ...texts,
    message: `${message} ${shared_text}`,
    opt_out_message: `${opt_out_message} ${shared_text}`,
  };
}

const isLanguageTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
};

/**
 * The tag, or its base language if it is none (RFC 5646): `Intl` throws for it, and banner versions from before the
 * check can hold one.
 */
export const toValidTag = (tag: string): string =>
  isLanguageTag(tag) ? tag : (tag.split('-')[0] ?? tag);

/** @throws InvalidFieldError for a tag that is none, for example `pt-PT-ao90` */
export function assertLanguages({
  languages = [],
  translations = [],
}: Partial<Pick<ConsentConfig, 'languages' | 'translations'>>): void {
  const tags = [...languages, ...translations.map(({ language }) => language)];
  const wrong = tags.find((tag) => !isLanguageTag(tag));
  if (wrong === undefined) return;
  throw new InvalidFieldError(
    'consent',
    `"${wrong}" is not a language tag. Use one of BCP 47, for example de or pt-BR.`,
  );
}

/** The offered language that a requested one is shown in, see `getTexts`; undefined if none is close. */
export function findClosest(language: string, offered: readonly string[]): string | undefined {
  const asked = language.toLowerCase();
  const find = (tag: string | undefined) => offered.find((each) => each.toLowerCase() === tag);
  return find(asked) ?? find(asked.split('-')[0]) ?? findSameScript(asked, offered);
}

function findSameScript(asked: string, offered: readonly string[]): string | undefined {
  const script = getScript(asked);
  return script && offered.find((each) => getScript(each) === script);
}

/** Language and script, for example `zh-Hans` for `zh-CN` and `nb-Latn` for `no`; undefined for an invalid tag. */
function getScript(tag: string): string | undefined {
  try {
    // `no` is the macrolanguage of `nb`, which most Norwegian sites are in.
    const { language, script } = new Intl.Locale(tag.replace(/^no(?=-|$)/i, 'nb')).maximize();
    return `${language}-${script}`;
  } catch {
    return undefined;
  }
}
