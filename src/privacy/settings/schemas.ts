import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { Line, OneOf, SLUG, Text } from '../../platform/http/schemas.ts';
import { RegimeSettings } from '../regimes/index.ts';
import { AppearanceUpdate } from './banner/appearance/schemas.ts';
import { ConsentSettings } from './banner/schemas.ts';

const DsarSettings = Type.Object(
  {
    enabled: Type.Boolean(),
    regime: OneOf(['gdpr', 'uk', 'ccpa', 'lgpd'], {
      description: 'The law whose deadlines, rights and remedies apply.',
    }),
    auto_erase: Type.Boolean({
      description:
        'Erase without the approval of a person, once the address is confirmed. It applies to deletion requests whose work begins after it is set.',
    }),
  },
  { title: 'DsarSettings' },
);

/** One email address or an empty text; `changeSettings` checks it. */
const Address = (description: string) => Text(254, { minLength: 0, description });

const MailSettings = Type.Object(
  {
    from_name: Line(100, {
      minLength: 0,
      description:
        'The sender name of emails, except those about licences. Default: the name of the controller.',
    }),
    reply_to: Address(
      'The reply-to address of emails about requests. Default: the email address of the controller, then `PAVIS_MAIL_FROM` unless it is a no-reply address.',
    ),
  },
  { title: 'MailSettings' },
);

const ControllerSettings = Type.Object(
  {
    name: Line(200, { minLength: 0, description: 'The organisation or person.' }),
    address: Text(500, { minLength: 0, description: 'The postal address; line breaks are kept.' }),
    email: Address('The email address of the controller, or empty.'),
    dpo_name: Line(200, { minLength: 0, description: 'The data protection officer, if any.' }),
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

const ScanStates = (description: string) =>
  Type.Array(OneOf(['before', 'rejected', 'accepted', 'withdrawn', 'gpc']), {
    uniqueItems: true,
    description,
  });

export const ScanSchedule = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether the server scans the site on this schedule.' }),
    cron: Text(100, {
      description:
        'Cron expression in the time zone of the installation: minute, hour, day of month, month and day of week. `0 3 * * *` is every day at 03:00, `0 3 * * 1` every Monday at 03:00.',
      examples: ['0 3 * * *'],
    }),
    states: ScanStates('States in which each page is visited, as in `POST /scanner/scans`.'),
    depth: Type.Integer({ minimum: 0, maximum: 5, description: 'Crawl depth.' }),
  },
  { title: 'ScanSchedule' },
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
    states: ScanStates(
      'States in which each page is visited by a scan for which none are named. `before` is always included.',
    ),
    ignore_robots: Type.Boolean({
      description:
        'Scan pages that robots.txt disallows too: for a site of your own, such as a staging site, whose robots.txt keeps search engines out.',
    }),
    necessary_vendors: Type.Array(Type.String({ pattern: SLUG }), {
      maxItems: 100,
      examples: [['google-recaptcha']],
      description:
        'Slugs of vendors that are strictly necessary for your site: their findings need no consent (ePrivacy Directive Art. 5(3)). It applies to pages that are scanned later.',
    }),
    schedule: ScanSchedule,
  },
  { title: 'ScannerSettings' },
);

const LogWitness = Type.Object(
  {
    url: Text(URL_MAX_LENGTH, {
      description: 'Address before `/add-checkpoint`: https, or http on this machine.',
      examples: ['https://witness.example.com'],
    }),
    key: Text(300, {
      description: 'The verifier key, as `pavis witness key` prints it.',
      examples: ['witness.example.com/w1+18cd32f2+BAyhVnVEQjlq1YMF0k5yaIwWuEvMFfQrjtDMyiwZi+SN'],
    }),
  },
  { title: 'LogWitness' },
);

const ConsentLogSettings = Type.Object(
  {
    public: Type.Boolean({
      description:
        'Whether everyone may read the checkpoint, hashes and entries of the consent log. They contain no personal data, but tell how many consent choices were recorded.',
    }),
    witnesses: Type.Array(LogWitness, {
      maxItems: 10,
      description: 'Servers that confirm that the log only grows (C2SP tlog-witness).',
    }),
    mail_checkpoint: Type.Boolean({
      description:
        'Whether the newest checkpoint is sent once a day to the data protection officer, or without one to the controller, if the log has grown and an address is set.',
    }),
  },
  { title: 'ConsentLogSettings' },
);

export const Settings = Type.Object(
  {
    consent: ConsentSettings,
    dsar: DsarSettings,
    mail: MailSettings,
    controller: ControllerSettings,
    origins: OriginSettings,
    scanner: ScannerSettings,
    consent_log: ConsentLogSettings,
  },
  { title: 'Settings' },
);

export type SiteSettings = Static<typeof Settings>;

/** A new address must be a URI. A stored one can have characters that a URI escapes. */
const NewConsentSettings = Type.Object({
  ...ConsentSettings.properties,
  appearance: AppearanceUpdate,
  privacy_url: Type.String({ format: 'uri', maxLength: URL_MAX_LENGTH }),
  regimes: Type.Partial(RegimeSettings, { title: 'RegimeSettingsUpdate' }),
});

const partial = <T extends TProperties>(group: TObject<T>, title: string) =>
  Type.Partial(group, { title });

const NewScannerSettings = Type.Object({
  ...ScannerSettings.properties,
  schedule: Type.Partial(ScanSchedule, { title: 'ScanScheduleUpdate' }),
});

/** Partial at every level: absent fields stay unchanged. */
export const SettingsUpdate = Type.Object(
  {
    consent: Type.Optional(partial(NewConsentSettings, 'ConsentSettingsUpdate')),
    dsar: Type.Optional(partial(DsarSettings, 'DsarSettingsUpdate')),
    mail: Type.Optional(partial(MailSettings, 'MailSettingsUpdate')),
    controller: Type.Optional(partial(ControllerSettings, 'ControllerSettingsUpdate')),
    origins: Type.Optional(partial(OriginSettings, 'OriginSettingsUpdate')),
    scanner: Type.Optional(partial(NewScannerSettings, 'ScannerSettingsUpdate')),
    consent_log: Type.Optional(partial(ConsentLogSettings, 'ConsentLogSettingsUpdate')),
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
