import { type Static, Type } from 'typebox';
import { nullable, OneOf } from '../../../platform/http/schemas.ts';
import {
  days,
  developmentSitesFree,
  email,
  expiresAt,
  graceDays,
  MODES,
  notes,
  product,
  sitesAllowed,
  tier,
} from '../schemas.ts';

export const BulkIssue = Type.Object(
  {
    csv: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200_000,
        description:
          'A table whose first line names the columns: email, product, tier, expires_at or days, mode, sites_allowed, ' +
          'grace_days, development_sites_free, notes, mail. The other parameters are the defaults for empty cells.',
        examples: ['email,tier,expires_at\nada@example.com,pro,2027-11-21'],
      }),
    ),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'Number of licences for one customer, instead of a table.',
      }),
    ),
    dry_run: Type.Boolean({
      default: false,
      description: 'Whether to check only and issue nothing.',
    }),
    email: Type.Optional(email),
    product: Type.Optional(product),
    tier: Type.Optional(tier),
    expires_at: Type.Optional(expiresAt),
    days: Type.Optional(days),
    mode: Type.Optional(OneOf(MODES)),
    sites_allowed: Type.Optional(sitesAllowed),
    grace_days: Type.Optional(Type.Integer(graceDays)),
    development_sites_free: Type.Optional(developmentSitesFree),
    notes: Type.Optional(notes),
    mail: Type.Optional(
      Type.Boolean({ description: 'Whether to email the keys to the customers.' }),
    ),
  },
  { title: 'BulkIssue' },
);

const BulkLine = Type.Object({
  line: Type.Integer({
    description: 'Line number in the table, whose header is line 1; otherwise counted from 1.',
  }),
  email: Type.String(),
  tier: nullable(Type.String()),
  sites_allowed: nullable(Type.Integer()),
  expires_at: nullable(Type.String()),
  error: nullable(Type.String({ description: 'Why it cannot be issued; null if it can.' })),
  id: nullable(Type.String({ description: 'Licence identifier.' })),
  licence_key: nullable(Type.String({ description: 'The key in clear, shown only once.' })),
});
export type BulkLine = Static<typeof BulkLine>;

export const BulkReport = Type.Object(
  {
    dry_run: Type.Boolean(),
    issued: Type.Integer({
      description: 'Number of issued licences: all, or 0 if a line is invalid or for a dry run.',
    }),
    failed: Type.Integer({ description: 'Number of invalid lines.' }),
    lines: Type.Array(BulkLine),
  },
  { title: 'BulkReport' },
);
export type BulkReport = Static<typeof BulkReport>;
