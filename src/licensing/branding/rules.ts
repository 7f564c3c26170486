import type { MailBrand } from '../../mail/index.ts';
import { getContrast, toRgb } from '../../platform/contrast.ts';
import { readEmail } from '../../platform/email-address.ts';
import { InvalidFieldError } from '../../platform/errors.ts';

/** The languages of pages and emails to customers. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** How the seller of the licences appears to customers. Null: not set. */
export interface Brand {
  name: string | null;
  /** Where customers get help: a page, or `mailto:` with an address. */
  supportUrl: string | null;
  /** The colour of buttons, `#rrggbb`. */
  color: string | null;
  /** A picture as a data URL, so that pages and emails load nothing from elsewhere. */
  logo: string | null;
  /** The language of emails, and of pages for browsers that prefer none of the languages. Null: English. */
  language: Language | null;
}

export const NO_BRAND: Brand = {
  name: null,
  supportUrl: null,
  color: null,
  logo: null,
  language: null,
};

/** Black or white, whichever is easier to read on the colour: always at least 4.5:1 (WCAG 2.2, 1.4.3). */
export function getTextColor(color: string): '#000000' | '#ffffff' {
  const against = (text: string) => getContrast(toRgb(text), toRgb(color));
  return against('#ffffff') >= against('#000000') ? '#ffffff' : '#000000';
}

/** @param accepted the header `Accept-Language`, with the preferred language first */
export function chooseLanguage(accepted: string | undefined, brand: Brand): Language {
  const tags = (accepted ?? '').split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase());
  const found = tags.find((tag) => LANGUAGES.some((language) => language === tag));
  return (found as Language | undefined) ?? brand.language ?? 'en';
}

const HELP: Record<Language, string> = { en: 'Help', de: 'Hilfe' };

/** The link to where customers get help; null if there is none. */
export const toHelpLink = (
  { supportUrl }: Brand,
  language: Language,
): { label: string; url: string } | null =>
  supportUrl === null ? null : { label: HELP[language], url: supportUrl };

/** How emails name the seller. The logo is left out: many programs do not show pictures in emails. */
export const toMailBrand = (brand: Brand, language: Language): MailBrand => ({
  name: brand.name,
  button:
    brand.color === null ? null : { background: brand.color, text: getTextColor(brand.color) },
  help: toHelpLink(brand, language),
});

/** @param path of a `mailto:` URL, with percent-encoding (RFC 6068) */
function isEmail(path: string): boolean {
  try {
    return readEmail(decodeURIComponent(path)) !== undefined;
  } catch {
    return false;
  }
}

/** @throws InvalidFieldError for an address that a link cannot have */
export function assertSupportUrl(url: string | null | undefined): void {
  if (!url) return;
  const parsed = URL.parse(url);
  const isAddress = parsed?.protocol === 'mailto:' && isEmail(parsed.pathname);
  const isPage = parsed !== null && ['https:', 'http:'].includes(parsed.protocol);
  if (isAddress || isPage) return;
  throw new InvalidFieldError(
    'support_url',
    'support_url must be the address of a page, or mailto: with an email address.',
  );
}
