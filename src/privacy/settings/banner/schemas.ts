import { type Static, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../../platform/http/limits.ts';
import { Moment, NonBlankText, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import { paginationArgs } from '../../../platform/rest/pagination.ts';
import { EXEMPT_PURPOSES, RegimeSettings } from '../../regimes/index.ts';
import { Appearance } from './appearance/schemas.ts';

/** Changes after which visitors can be asked again. */
export const ASK_AGAIN_REASONS = ['vendors', 'purposes', 'categories', 'texts'] as const;
export type AskAgainReason = (typeof ASK_AGAIN_REASONS)[number];

/** Services that the banner can inform about consent (web/banner/signals). */
export const SIGNALS = ['google', 'wordpress', 'uet', 'clarity', 'meta', 'shopify'] as const;

const CATEGORY_ID = '^[a-z][a-z0-9_-]{0,63}$';

const ConsentCategory = Type.Object(
  {
    id: Type.String({ pattern: CATEGORY_ID }),
    label: NonBlankText(200),
    description: Text(5_000, { minLength: 0 }),
    required: Type.Boolean({
      description:
        'Strictly necessary: always active, and visitors are not asked. The category `functional` must be required.',
    }),
    own_use: Type.Optional(
      OneOf(EXEMPT_PURPOSES, {
        description:
          'The site uses the data of the category only for itself and only for this purpose: `statistics` to improve the service or the website, `appearance` to adapt it to preferences of the visitor. Where the rules of the country exempt the purpose (`exempt_purposes`), the category needs notice and an easy objection in place of consent. Leave it out if a vendor uses the data for purposes of its own.',
      }),
    ),
  },
  { title: 'ConsentCategorySettings' },
);

/** The texts of the banner, without the categories. */
export const bannerTexts = {
  title: NonBlankText(200),
  message: NonBlankText(5_000),
  opt_out_message: NonBlankText(5_000, {
    description:
      'Shown in place of `message` where the regime of the visitor does not require consent first.',
  }),
  opt_out_text: NonBlankText(100, {
    description:
      'The button that opens the preferences where the regime requires a link to opt out. In California: Your Privacy Choices (11 CCR § 7015).',
  }),
  opted_out_text: NonBlankText(100, {
    description:
      'Shown where the regime requires a confirmation that Global Privacy Control was honoured.',
  }),
  own_use_text: NonBlankText(500, {
    description:
      'Shown where the regime exempts own use. `{categories}` stands for the names of the categories that are on without consent.',
  }),
  accept_text: NonBlankText(100),
  reject_text: NonBlankText(100),
  manage_text: NonBlankText(100),
  save_text: NonBlankText(100),
  privacy_text: NonBlankText(100, { description: 'The label of the link to `privacy_url`.' }),
  receipt_text: NonBlankText(100, {
    description: 'The label of the link to the receipt, in the preferences after a choice.',
  }),
  consent_id_text: NonBlankText(100, {
    description: 'The label of the visitor id, in the preferences after a choice.',
  }),
  consent_id_help_text: NonBlankText(500, { description: 'What visitors can use this id for.' }),
  withdraw_text: NonBlankText(100, {
    description: 'The button that rejects all categories, in the preferences after consent.',
  }),
  vendors_text: NonBlankText(100, {
    description: 'The button that shows the vendors of a category and their cookies.',
  }),
  session_text: NonBlankText(100, { description: 'The lifetime of a session cookie.' }),
  until_deleted_text: NonBlankText(100, {
    description: 'The lifetime of what has no end, in storage.',
  }),
  typical_text: NonBlankText(100, {
    description:
      'A lifetime that the vendor library lists and no scan has observed. `{duration}` stands for the lifetime.',
  }),
  reopen_text: NonBlankText(100, { description: 'The button that opens the preferences again.' }),
  required_text: NonBlankText(100, { description: 'The label of a required category.' }),
  placeholder_text: NonBlankText(500, {
    description:
      'Shown in place of embedded content that is blocked. `{host}` stands for the host that provides it.',
  }),
  load_text: NonBlankText(100, { description: 'The button that loads this content once.' }),
  always_text: NonBlankText(100, {
    description:
      'The button that accepts the category of the content. `{category}` stands for its label.',
  }),
  shared_text: NonBlankText(500, {
    description:
      'With `shared_choices`, shown after the message: for whom the choice applies elsewhere.',
  }),
  always_vendor_text: NonBlankText(100, {
    description:
      'The same with `vendor_choices`, for content of a vendor with a switch. It accepts this vendor only. `{vendor}` stands for its name.',
  }),
};

export const TEXT_NAMES = Object.keys(bannerTexts) as (keyof typeof bannerTexts)[];

const LANGUAGE = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$';

export const Translation = Type.Object(
  {
    language: Type.String({ pattern: LANGUAGE }),
    ...Type.Partial(Type.Object(bannerTexts)).properties,
    categories: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String({ pattern: CATEGORY_ID }),
          label: Type.Optional(NonBlankText(200)),
          description: Type.Optional(Text(5_000, { minLength: 0 })),
        }),
        { maxItems: 20 },
      ),
    ),
    needs_review: Type.Optional(
      Type.Boolean({
        description:
          'The texts are machine-translated, and no one has reviewed them. Visitors see them nevertheless. Set it to false, or leave it out, after a review. Changing it never asks visitors again.',
      }),
    ),
  },
  { title: 'BannerTranslation' },
);

export const ConsentSettings = Type.Object(
  {
    enabled: Type.Boolean({
      description: 'If false, no banner is shown and blocked content stays blocked.',
    }),
    position: OneOf([
      'bottom',
      'top',
      'bottom-left',
      'bottom-right',
      'top-left',
      'top-right',
      'center',
    ]),
    appearance: Appearance,
    ...bannerTexts,
    expiry_days: Type.Integer({
      minimum: 1,
      maximum: 3_650,
      description: 'Consent lifetime in days.',
    }),
    refused_until_days: Type.Integer({
      minimum: 1,
      maximum: 400,
      description:
        'Days after a refusal in which visitors are not asked again, or longer where the rules of their country require it. A material change (`ask_again_on`) ends it earlier.',
    }),
    regimes: RegimeSettings,
    privacy_url: Type.String({ maxLength: URL_MAX_LENGTH }),
    languages: Type.Array(Type.String({ pattern: LANGUAGE }), {
      maxItems: 50,
      description:
        'The languages of the site. The texts outside `translations` are in the first. If you change the first, the texts change places with its translation, which must be complete and reviewed. Change texts in an update of their own, or send all texts, and no translation into the new first language.',
    }),
    translations: Type.Array(Translation, {
      maxItems: 50,
      description: 'The texts in other languages. A missing text is shown in the first language.',
    }),
    categories: Type.Array(ConsentCategory, {
      maxItems: 20,
      description:
        'The consent categories. Scripts of a category that is removed stay registered and blocked until they get another category or it is added again.',
    }),
    ask_again_on: Type.Array(OneOf(ASK_AGAIN_REASONS), {
      maxItems: ASK_AGAIN_REASONS.length,
      description:
        'The changes after which visitors are asked again. `vendors`: a vendor is added. `purposes`: a purpose is added. Both are those of active data map entries whose legal basis is consent. `categories`: a category is added, removed, or made required or optional. `texts`: the title, the message, the address of the privacy policy, or the name or description of a category changes, in any language.',
    }),
    vendor_choices: Type.Boolean({
      description:
        'Whether the preferences have a switch for each vendor with active scripts in the registry, besides those of the categories. Only these vendors can be blocked one by one.',
    }),
    shared_choices: Type.Boolean({
      description:
        'Whether the choice of a person who is signed in at the site applies on all their devices where they are signed in. The server of the site makes a token for each page view, with the key of `GET /consent/subject-key`. Visitors read `shared_text` below the message. Changing it never asks visitors again.',
    }),
    signals: Type.Array(OneOf(SIGNALS), {
      maxItems: SIGNALS.length,
      description:
        'The services that the banner informs about consent, each in the form that the service defines. `google`: Google Consent Mode v2, on by default, because tags of Google use cookies without it. `wordpress`: the WP Consent API. `uet`: Microsoft Advertising (UET consent mode). `clarity`: Microsoft Clarity (Consent API v2). `meta`: Meta Pixel. `shopify`: the Customer Privacy API of Shopify. A signal blocks no tag. Under versions from before this setting, `google` and `wordpress` were on. Changing it never asks visitors again.',
    }),
  },
  { title: 'ConsentSettings' },
);

export type ConsentConfig = Static<typeof ConsentSettings>;

const { page, offset } = paginationArgs();

export const ConsentVersionsArgs = Type.Object({
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Versions per response. All versions are returned if it is missing.',
    }),
  ),
  page,
  offset,
});

export const ConsentVersion = Type.Object(
  {
    version: Type.Integer(),
    hash: Type.String({ description: 'SHA-256 of the stored configuration.' }),
    created_at: Moment('When this version was published.', '2026-11-21T09:30:00.000Z'),
    config: ConsentSettings,
    vendors: nullable(
      Type.Array(Type.Object({ slug: Type.String(), name: Type.String() }), {
        description:
          'The vendors in the data map with consent as legal basis; null for versions from before they were stored.',
      }),
    ),
    purposes: nullable(Type.Array(Type.String(), { description: 'Their purposes.' })),
    asked_since: Type.Integer({
      description:
        'The oldest version to which consent is valid under this one. The version itself if visitors were asked again.',
    }),
  },
  { title: 'ConsentVersion' },
);
