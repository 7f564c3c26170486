import type { ConsentConfig } from './schemas.ts';

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
  return {
    language: shown,
    direction: RIGHT_TO_LEFT.test(shown) ? ('rtl' as const) : ('ltr' as const),
    title: found?.title ?? config.title,
    message: found?.message ?? config.message,
    accept_text: found?.accept_text ?? config.accept_text,
    reject_text: found?.reject_text ?? config.reject_text,
    manage_text: found?.manage_text ?? config.manage_text,
    save_text: found?.save_text ?? config.save_text,
    privacy_text: found?.privacy_text ?? config.privacy_text,
    reopen_text: found?.reopen_text ?? config.reopen_text,
    required_text: found?.required_text ?? config.required_text,
    placeholder_text: found?.placeholder_text ?? config.placeholder_text,
    load_text: found?.load_text ?? config.load_text,
    always_text: found?.always_text ?? config.always_text,
    categories: Object.fromEntries(
      config.categories.map(({ id, label, description }) => {
        const words = found?.categories?.find((category) => category.id === id);
        return [
          id,
          { label: words?.label ?? label, description: words?.description ?? description },
        ];
      }),
    ),
  };
}
