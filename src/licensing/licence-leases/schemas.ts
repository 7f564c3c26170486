import { Type } from 'typebox';
import { describeResponse, Moment } from '../../platform/http/schemas.ts';
import { EXAMPLE_KEY, SiteRequest } from '../licences/index.ts';

/** @param maxDays the most that may be asked for, and the default */
export const createLeaseRequest = (maxDays: number) =>
  Type.Object(
    {
      ...SiteRequest.properties,
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: maxDays,
          description: `Days for which the lease is valid. Default: ${maxDays}, the setting of the server.`,
        }),
      ),
    },
    {
      title: 'LeaseRequest',
      examples: [{ licence_key: EXAMPLE_KEY, site_url: 'https://example.com', days: 7 }],
    },
  );

export const LicenceLease = describeResponse(
  'The lease.',
  {
    lease: Type.String({
      description:
        'A JWT of the type `pavis-lease+jwt`, signed with Ed25519 (`EdDSA`). Claims: `iss` (`pavis`), `sub` (the licence), ' +
        '`product`, `site` (normalised), `site_url` (as sent), `tier`, `mode`, `features`, `paid_until`, `grace_until`, ' +
        '`iat`, `nbf` and `exp`. `nbf` is 24 hours before `iat`, so that sites whose clock is behind accept the lease.',
    }),
    key_id: Type.String({ description: 'The `kid` of its key in `GET /licence/public-key`.' }),
    issued_at: Moment('When the lease was signed.'),
    expires_at: Moment(
      'Until when the lease is valid: never longer than the licence with its grace period.',
      '2026-12-05T09:30:00.000Z',
    ),
  },
  {
    lease: 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJwYXZpcyJ9.c2lnbmF0dXJl',
    key_id: 'n3mZ0sQ1xTfBv8Lk',
    issued_at: '2026-11-21T09:30:00.000Z',
    expires_at: '2026-12-05T09:30:00.000Z',
  },
  'LicenceLease',
);
