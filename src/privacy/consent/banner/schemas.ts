import { Type } from 'typebox';
import { OneOf, Text } from '../../../platform/http/schemas.ts';
import { bannerTexts, ConsentSettings, type SiteSettings } from '../../settings/index.ts';
import { ShownAppearance } from './appearance/schemas.ts';
import { toShownAppearance } from './appearance/styles.ts';

export const ConsentStatus = Type.Object(
  {
    enabled: Type.Boolean(),
    categories: Type.Record(
      Type.String(),
      Type.Object(
        { id: Type.String(), label: Type.String(), required: Type.Boolean() },
        { title: 'ConsentCategory' },
      ),
    ),
    settings: Type.Pick(
      ConsentSettings,
      ['position', 'title', 'message', 'accept_text', 'reject_text', 'expiry_days', 'privacy_url'],
      { title: 'ConsentBannerSettings' },
    ),
    version: Type.Integer({
      description: 'The current banner version. Each published change raises it.',
    }),
    appearance: Type.Optional(ShownAppearance),
  },
  { title: 'ConsentStatus' },
);

export const TextsQuery = Type.Object({
  language: Type.Optional(
    Text(35, {
      minLength: 0,
      description: 'For example `de` or `pt-BR`. Default: the first language of the site.',
    }),
  ),
  version: Type.Optional(
    Type.Integer({
      description:
        'The banner version of a status that was read before. Default, and if consent to it is no longer valid: the current version.',
    }),
  ),
});

export const ConsentTexts = Type.Object(
  {
    language: Type.String({ description: 'The language of these texts.' }),
    direction: OneOf(['ltr', 'rtl']),
    ...bannerTexts,
    categories: Type.Record(
      Type.String(),
      Type.Object(
        { label: Type.String(), description: Type.String() },
        { title: 'ConsentCategoryTexts' },
      ),
    ),
    version: Type.Integer({ description: 'The banner version of these texts.' }),
    hash: Type.String({ description: 'SHA-256 of the stored version.' }),
    asked_since: Type.Integer({
      description: 'The oldest version to which consent is still valid.',
    }),
  },
  { title: 'ConsentTexts' },
);

/** Exactly the fields of the contract, `version`, and `appearance` if it is not the default. */
export function toConsentStatus(consent: SiteSettings['consent'], version: number) {
  const { position, title, message, accept_text, reject_text, expiry_days, privacy_url } = consent;
  const appearance = toShownAppearance(consent.appearance);
  return {
    enabled: consent.enabled,
    categories: Object.fromEntries(
      consent.categories.map(({ id, label, required }) => [id, { id, label, required }]),
    ),
    settings: { position, title, message, accept_text, reject_text, expiry_days, privacy_url },
    version,
    ...(appearance && { appearance }),
  };
}
