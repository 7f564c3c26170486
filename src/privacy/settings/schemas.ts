import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';

/** Changes after which visitors can be asked again. */
export const ASK_AGAIN_REASONS = ['vendors', 'purposes', 'categories', 'texts'] as const;
export type AskAgainReason = (typeof ASK_AGAIN_REASONS)[number];

const CATEGORY_ID = '^[a-z][a-z0-9_-]{0,63}$';

const ConsentCategory = Type.Object(
  {
    id: Type.String({ pattern: CATEGORY_ID }),
    label: Text(200),
    description: Text(5_000, { minLength: 0 }),
    required: Type.Boolean({
      description: 'Strictly necessary: always active, and visitors are not asked.',
    }),
  },
  { title: 'ConsentCategorySettings' },
);

/** The texts of the banner, without the categories. */
const wording = {
  title: Text(200),
  message: Text(5_000),
  accept_text: Text(100),
  reject_text: Text(100),
  manage_text: Text(100),
  save_text: Text(100),
  privacy_text: Text(100, { description: 'The label of the link to `privacy_url`.' }),
  reopen_text: Text(100, { description: 'The button that opens the preferences again.' }),
  required_text: Text(100, { description: 'The label of a required category.' }),
  placeholder_text: Text(500, {
    description:
      'Shown in place of embedded content that is blocked. `{host}` stands for the host that provides it.',
  }),
  load_text: Text(100, { description: 'The button that loads this content once.' }),
  always_text: Text(100, {
    description:
      'The button that accepts the category of the content. `{category}` stands for its label.',
  }),
};

export const TEXT_NAMES = Object.keys(wording);

const LANGUAGE = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$';

const Translation = Type.Object(
  {
    language: Type.String({ pattern: LANGUAGE }),
    ...Type.Partial(Type.Object(wording)).properties,
    categories: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String({ pattern: CATEGORY_ID }),
          label: Type.Optional(Text(200)),
          description: Type.Optional(Text(5_000, { minLength: 0 })),
        }),
        { maxItems: 20 },
      ),
    ),
  },
  { title: 'BannerTranslation' },
);

const ConsentSettings = Type.Object(
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
    ...wording,
    expiry_days: Type.Integer({
      minimum: 1,
      maximum: 3_650,
      description: 'Consent lifetime in days.',
    }),
    privacy_url: Type.String({ maxLength: URL_MAX_LENGTH }),
    languages: Type.Array(Type.String({ pattern: LANGUAGE }), {
      maxItems: 50,
      description: 'The languages of the site. The texts outside `translations` are in the first.',
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
  },
  { title: 'ConsentSettings' },
);

const DsarSettings = Type.Object(
  {
    enabled: Type.Boolean(),
    regime: OneOf(['gdpr', 'ccpa', 'lgpd'], { description: 'The law whose deadlines apply.' }),
    auto_erase: Type.Boolean({
      description:
        'Erase without the approval of a person, once the address is confirmed. It applies to deletion requests whose work begins after it is set.',
    }),
  },
  { title: 'DsarSettings' },
);

/** One email address or an empty text: `changeSettings` makes sure of it. */
const Address = (description: string) => Text(254, { minLength: 0, description });

const MailSettings = Type.Object(
  {
    from_name: Text(100, {
      minLength: 0,
      description: 'The sender name of emails about requests. Default: the name of the controller.',
    }),
    reply_to: Address(
      'The reply-to address of emails about requests. Default: the email address of the controller.',
    ),
  },
  { title: 'MailSettings' },
);

const ControllerSettings = Type.Object(
  {
    name: Text(200, { minLength: 0, description: 'The organisation or person.' }),
    address: Text(500, { minLength: 0, description: 'The postal address; line breaks are kept.' }),
    email: Address('The email address of the controller, or empty.'),
    dpo_name: Text(200, { minLength: 0, description: 'The data protection officer, if any.' }),
    dpo_email: Address('The email address of the data protection officer, or empty.'),
  },
  {
    title: 'ControllerSettings',
    description:
      'The controller (GDPR Art. 4(7)). Shown in emails, data packages, the privacy notice of the request form and the records of processing activities.',
  },
);

const OriginSettings = Type.Object(
  {
    allowed: Type.Array(Text(255, { examples: ['https://shop.example.com'] }), {
      maxItems: 100,
      description:
        'Origins (scheme, host and port) whose pages may record consent and read what the banner needs, beside those of PAVIS_ALLOWED_ORIGINS and the origin of this service.',
    }),
  },
  { title: 'OriginSettings' },
);

const ScannerSettings = Type.Object(
  {
    max_pages: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Maximum number of pages of a scan.',
    }),
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 16,
      description: 'Number of pages scanned at the same time.',
    }),
    ignore_robots: Type.Boolean({
      description:
        'Scan pages that robots.txt disallows too: for a site of your own, such as a staging site, whose robots.txt keeps search engines out.',
    }),
    necessary_vendors: Type.Array(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }), {
      maxItems: 100,
      examples: [['google-recaptcha']],
      description:
        'Slugs of vendors that are strictly necessary for your site: their findings need no consent (ePrivacy Directive Art. 5(3)). It applies to pages that are scanned later.',
    }),
  },
  { title: 'ScannerSettings' },
);

export const Settings = Type.Object(
  {
    consent: ConsentSettings,
    dsar: DsarSettings,
    mail: MailSettings,
    controller: ControllerSettings,
    origins: OriginSettings,
    scanner: ScannerSettings,
  },
  { title: 'Settings' },
);

export type ConsentConfig = Static<typeof ConsentSettings>;
export type SiteSettings = Static<typeof Settings>;

/** A new address must be a URI; a stored one can have characters that a URI escapes. */
const GivenConsentSettings = Type.Object({
  ...ConsentSettings.properties,
  privacy_url: Type.String({ format: 'uri', maxLength: URL_MAX_LENGTH }),
});

/** The fields of a group, each optional. */
const partial = <T extends TProperties>(group: TObject<T>, title: string) =>
  Type.Partial(group, { title });

/** Partial at every level: absent fields stay unchanged. */
export const SettingsUpdate = Type.Object(
  {
    consent: Type.Optional(partial(GivenConsentSettings, 'ConsentSettingsUpdate')),
    dsar: Type.Optional(partial(DsarSettings, 'DsarSettingsUpdate')),
    mail: Type.Optional(partial(MailSettings, 'MailSettingsUpdate')),
    controller: Type.Optional(partial(ControllerSettings, 'ControllerSettingsUpdate')),
    origins: Type.Optional(partial(OriginSettings, 'OriginSettingsUpdate')),
    scanner: Type.Optional(partial(ScannerSettings, 'ScannerSettingsUpdate')),
  },
  {
    title: 'SettingsUpdate',
    examples: [{ consent: { title: 'Your choice', expiry_days: 180 } }],
  },
);

export const SettingsUpdateHeaders = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description:
        'The `ETag` of the settings that you read. If they have changed since, the response is 412 and nothing is saved.',
    }),
  ),
});

export const EnvironmentSetting = Type.Object(
  {
    name: Type.String({ description: 'The variable, for example `PAVIS_SMTP_URL`.' }),
    value: Type.String({ description: 'The current value; secrets are masked.' }),
  },
  {
    title: 'EnvironmentSetting',
    description: 'A setting from the environment. Changing it requires a restart.',
  },
);

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
