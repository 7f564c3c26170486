import { type Static, Type } from 'typebox';
import { nullable, OneOf } from '../../../platform/http/schemas.ts';
import { SettingsUpdate } from '../schemas.ts';

/** The banners whose settings can be imported. */
export const IMPORT_FORMATS = ['complianz', 'cookieyes', 'vanilla-cookieconsent'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** In characters. A request body may have 256 KiB, and JSON within JSON needs escapes. */
export const IMPORT_MAX_LENGTH = 192 * 1024;

export const IMPORT_OUTCOMES = ['imported', 'changed', 'ignored', 'rejected'] as const;

export const SettingsImportRequest = Type.Object(
  {
    content: Type.String({
      minLength: 1,
      maxLength: IMPORT_MAX_LENGTH,
      description: 'The content of the exported file.',
    }),
    format: Type.Optional(
      OneOf(IMPORT_FORMATS, { description: 'Default: recognised from the content.' }),
    ),
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        description:
          'The language of the texts, for files that do not state it (Complianz). Default: the first language of the banner.',
      }),
    ),
    apply: Type.Boolean({
      default: false,
      description: 'Whether the settings are saved. If false, nothing changes (dry run).',
    }),
  },
  {
    title: 'SettingsImportRequest',
    examples: [
      {
        content:
          '{"categories":{"necessary":{"readOnly":true}},"language":{"default":"en","translations":{"en":{"consentModal":{"title":"Your choice"}}}}}',
      },
    ],
  },
);

const ImportLine = Type.Object(
  {
    source: Type.String({ description: 'The place in the file.' }),
    outcome: OneOf(IMPORT_OUTCOMES, {
      description:
        '`imported`: as it is. `changed`: imported differently, see `reason`. `ignored`: not imported. `rejected`: invalid.',
    }),
    field: nullable(Type.String({ description: 'The setting that it concerns.' })),
    value: nullable(Type.String({ description: 'The value of the setting.' })),
    reason: nullable(Type.String({ description: 'Null if it was imported as it is.' })),
  },
  { title: 'SettingsImportLine' },
);
export type ImportLine = Static<typeof ImportLine>;

const ImportChange = Type.Object(
  {
    field: Type.String({ description: 'The setting.' }),
    before: nullable(Type.String()),
    after: nullable(Type.String()),
  },
  { title: 'SettingsImportChange' },
);
export type ImportChange = Static<typeof ImportChange>;

const ImportProposal = Type.Object(
  {
    kind: OneOf(['script', 'cookie', 'service'], {
      description:
        '`script`: for the script registry. `cookie` and `service`: for vendors and the data map.',
    }),
    name: Type.String(),
    category: nullable(
      Type.String({ description: 'The consent category; null if the file does not state it.' }),
    ),
    vendor: nullable(
      Type.String({ description: 'The slug of a known vendor that it belongs to.' }),
    ),
    script_url: nullable(Type.String()),
    source: Type.String({ description: 'The place in the file.' }),
  },
  { title: 'SettingsImportProposal' },
);
export type ImportProposal = Static<typeof ImportProposal>;

export const SettingsImport = Type.Object(
  {
    format: OneOf(IMPORT_FORMATS),
    applied: Type.Boolean({ description: 'Whether the settings were saved.' }),
    counts: Type.Object(
      Object.fromEntries(IMPORT_OUTCOMES.map((outcome) => [outcome, Type.Integer()])) as Record<
        (typeof IMPORT_OUTCOMES)[number],
        ReturnType<typeof Type.Integer>
      >,
      { title: 'SettingsImportCounts', description: 'The number of lines by outcome.' },
    ),
    report: Type.Array(ImportLine, {
      description: 'Each line of the file, in its order. Parts that are ignored are one line.',
    }),
    notes: Type.Array(Type.String(), { description: 'What to check before you publish.' }),
    update: Type.Object(
      { consent: SettingsUpdate.properties.consent },
      {
        title: 'SettingsImportUpdate',
        description: 'For `PUT /settings`: only what differs from the settings that were read.',
      },
    ),
    changes: Type.Array(ImportChange, {
      description: 'What `update` changes in the settings that were read.',
    }),
    asks_again_because: Type.Array(Type.String(), {
      description: 'Why visitors are asked again with `update`. Empty: they are not.',
    }),
    proposals: Type.Array(ImportProposal, {
      description: 'Scripts, cookies and services of the file. They are not added.',
    }),
  },
  { title: 'SettingsImport' },
);
export type ImportResult = Static<typeof SettingsImport>;
