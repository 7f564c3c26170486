import type { ConsentSettings } from '../../api/types.ts';
import { getCategoryTexts, getFirstLanguage, getTranslation, TEXTS } from './banner-texts.ts';

/** The same rule as on the server, for texts that are not saved yet. */
const RIGHT_TO_LEFT = /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)(-|$)/i;
export const getDirection = (language: string): 'rtl' | 'ltr' =>
  RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr';

/** The texts in a language, as `/consent/texts` returns them. */
export function getTexts(consent: ConsentSettings, language: string) {
  const translation =
    language === getFirstLanguage(consent) ? { language } : getTranslation(consent, language);
  return {
    language,
    direction: getDirection(language),
    ...Object.fromEntries(TEXTS.map(([name]) => [name, translation[name] || consent[name]])),
    categories: Object.fromEntries(
      consent.categories.map(({ id, label, description }) => {
        const texts = getCategoryTexts(translation, id);
        return [id, { label: texts.label || label, description: texts.description || description }];
      }),
    ),
  };
}
