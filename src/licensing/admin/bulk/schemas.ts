import { Type } from 'typebox';
import { nullable, OneOf } from '../../../platform/http/schemas.ts';
import { TIER_NAMES } from '../../licences/index.ts';
import {
  developmentSitesFree,
  email,
  expiresAt,
  graceDays,
  MODES,
  notes,
  sitesAllowed,
} from '../schemas.ts';

export const BulkIssue = Type.Object(
  {
    csv: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200_000,
        description:
          'A table with a first line that names columns: email, tier, expires_at, mode, sites_allowed, grace_days, ' +
          'development_sites_free, notes, mail. What a line leaves empty is taken from the parameters beside.',
        examples: ['email,tier,expires_at\nada@example.com,pro,2027-11-21'],
      }),
    ),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'In place of a table: how many licences to issue to one customer.',
      }),
    ),
    dry_run: Type.Boolean({ default: false, description: 'Only check, and issue nothing.' }),
    email: Type.Optional(email),
    tier: Type.Optional(OneOf(TIER_NAMES)),
    expires_at: Type.Optional(expiresAt),
    mode: Type.Optional(OneOf(MODES)),
    sites_allowed: Type.Optional(sitesAllowed),
    grace_days: Type.Optional(Type.Integer(graceDays)),
    development_sites_free: Type.Optional(developmentSitesFree),
    notes: Type.Optional(notes),
    mail: Type.Optional(Type.Boolean({ description: 'Send each key to its customer as well.' })),
  },
  { title: 'BulkIssue' },
);

export const BulkReport = Type.Object(
  {
    dry_run: Type.Boolean(),
    issued: Type.Integer({ description: 'All, or none if one line is wrong or it is a dry run.' }),
    failed: Type.Integer({ description: 'How many lines are wrong.' }),
    lines: Type.Array(
      Type.Object({
        line: Type.Integer({
          description: 'In the table, whose first line is 1; else counted from 1.',
        }),
        email: Type.String(),
        tier: nullable(Type.String()),
        sites_allowed: nullable(Type.Integer()),
        expires_at: nullable(Type.String()),
        error: nullable(Type.String({ description: 'Why it cannot be issued.' })),
        id: nullable(Type.String({ description: 'Of the licence that was issued.' })),
        licence_key: nullable(Type.String({ description: 'In clear, shown this once.' })),
      }),
    ),
  },
  { title: 'BulkReport' },
);
