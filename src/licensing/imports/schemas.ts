import { type Static, Type } from 'typebox';
import { MOMENT_MAX_LENGTH } from '../../platform/clock.ts';
import { nullable, OneOf, Text } from '../../platform/http/schemas.ts';

export const LicenceImport = Type.Object(
  {
    format: OneOf(['csv', 'json', 'edd', 'lemon-squeezy'], {
      default: 'csv',
      description:
        '`csv` and `json`: the columns external_id, old_key, email, product, tier, mode, status, sites_allowed, expires_at, ' +
        'issued_at, sites, notes. `edd`: the CSV export of EDD Software Licensing. `lemon-squeezy`: license keys of the ' +
        'Lemon Squeezy API, as JSON or CSV.',
    }),
    content: Type.String({
      maxLength: 200_000,
      description:
        'The text of the file. Send a larger file in parts, each with the header: what is imported is not imported again.',
      examples: [
        'external_id,old_key,email,tier,expires_at\n17,OLD-KEY-17,ada@example.com,pro,2027-11-21',
      ],
    }),
    dry_run: Type.Boolean({
      default: false,
      description: 'Whether to report only and change nothing.',
    }),
    product: Type.Optional(
      Text(64, { description: 'The slug of the product of lines that have none.' }),
    ),
    tier: Type.Optional(
      Text(64, { description: 'The plan of lines that have none. It may be archived.' }),
    ),
    plans: Type.Optional(
      Type.Array(
        Type.Object({
          name: Text(200, {
            description:
              'In EDD the product name, or product name and price ID with a colon (`Forms Pro:2`); in Lemon Squeezy the product_id.',
          }),
          product: Type.Optional(Text(64)),
          tier: Text(64),
        }),
        { maxItems: 200, description: 'Which plan stands for a product of the other system.' },
      ),
    ),
    notify: Type.Boolean({
      default: false,
      description: 'Whether to email the keys of new, active licences to their customers.',
    }),
    exchange_until: Type.Optional(
      Text(MOMENT_MAX_LENGTH, {
        description:
          'Until when old keys of new licences can be exchanged, in UTC. Default: a year from now.',
        examples: ['2027-11-21T00:00:00.000Z'],
      }),
    ),
  },
  { title: 'LicenceImport' },
);
export type LicenceImport = Static<typeof LicenceImport>;

export const LicenceImportReport = Type.Object(
  {
    dry_run: Type.Boolean(),
    created: Type.Integer({ description: 'Number of new licences.' }),
    updated: Type.Integer({
      description: 'Number of licences that follow a change in the source.',
    }),
    unchanged: Type.Integer({ description: 'Number of licences without a change in the source.' }),
    conflicts: Type.Integer({
      description: 'Number of lines that were not applied because of what is here.',
    }),
    invalid: Type.Integer({ description: 'Number of lines that cannot be imported.' }),
    lines: Type.Array(
      Type.Object({
        line: Type.Integer({
          description: 'Line of a CSV file, whose header is line 1; in JSON, the position from 1.',
        }),
        action: OneOf(['created', 'updated', 'unchanged', 'conflict', 'invalid']),
        email: Type.String(),
        id: nullable(
          Type.String({ description: 'Licence identifier; null if there is no licence.' }),
        ),
        reason: nullable(
          Type.String({ description: 'Why it was not imported, or what was left out.' }),
        ),
        licence_key: nullable(
          Type.String({
            description:
              'The key in clear of a new licence without an old key that was not emailed, shown only once.',
          }),
        ),
      }),
    ),
  },
  { title: 'LicenceImportReport' },
);
