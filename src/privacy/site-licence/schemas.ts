import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { getStaleSince, SITE_LICENCE_STATUSES, type Verdict } from './rules.ts';
import type { SiteLicence } from './store.ts';

export const LicenceKeyArgs = Type.Object(
  {
    key: Text(256, { description: 'The licence key of this site. It is kept encrypted.' }),
  },
  { title: 'SiteLicenceKey', examples: [{ key: 'pv_live_Vb7Kq2LmX9TzR4WdN8cYhF3sJpG6uEaQ' }] },
);

export const SiteLicenceRecord = Type.Object(
  {
    key: nullable(Type.String({ description: 'Masked.' })),
    status: OneOf(SITE_LICENCE_STATUSES, {
      description:
        '`none`: no key is saved. `unverified`: the licence server has not answered yet. `inactive`: the ' +
        'licence is good, and this site was taken off it. `full`: no slot is free for this site.',
    }),
    valid: Type.Boolean({ description: 'Shown, and needed for nothing.' }),
    tier: nullable(Type.String()),
    features: Type.Array(Type.String()),
    sites_allowed: nullable(Type.Integer()),
    sites_used: nullable(Type.Integer()),
    expires_at: nullable(
      Moment(
        'When the licence stops working: during a grace period the end of grace.',
        '2027-11-21T00:00:00.000Z',
      ),
    ),
    paid_until: nullable(Moment('The end of the paid period.', '2027-11-21T00:00:00.000Z')),
    site_url: nullable(Type.String({ description: 'What the licence is used for.' })),
    checked_at: nullable(
      Moment(
        'When the licence server said this. It is asked every 12 hours, and no request waits for its answer.',
        '2026-11-21T09:30:00.000Z',
      ),
    ),
    stale: Type.Boolean({
      description:
        'Whether this is older than 12 hours, or the licence server did not answer since.',
    }),
    stale_since: nullable(Moment('Since when.', '2026-11-21T21:30:00.000Z')),
    message: Type.String({ description: 'For people.' }),
  },
  { title: 'SiteLicence' },
);

export const SiteLicenceRemoval = Type.Object(
  {
    deleted: Type.Literal(true),
    previous: SiteLicenceRecord,
    deactivated: Type.Boolean({
      description: 'False: the licence server did not answer, and is told as soon as it does.',
    }),
    message: Type.String(),
  },
  { title: 'SiteLicenceRemoval' },
);

const NOTHING: Verdict = {
  status: 'none',
  valid: false,
  tier: null,
  features: [],
  sitesAllowed: null,
  sitesUsed: null,
  expiresAt: null,
  message: 'No licence key is saved.',
};
const UNVERIFIED: Verdict = {
  ...NOTHING,
  status: 'unverified',
  message: 'The key is saved, and is checked as soon as the licence server answers.',
};

/** The site's licence as it is shown, or that there is none. */
export function toSiteLicenceRecord(
  licence: SiteLicence | undefined,
  now: number,
): Static<typeof SiteLicenceRecord> {
  const since = licence ? getStaleSince(licence, now) : null;
  const verdict = licence ? (licence.verdict ?? UNVERIFIED) : NOTHING;
  const isDoubtful = since !== null && verdict !== UNVERIFIED;
  const reason = licence?.failingSince === null ? 'is being asked again' : 'cannot be reached';
  const note = isDoubtful ? ` The licence server ${reason}; this is what it said last.` : '';
  return {
    key: licence?.maskedKey ?? null,
    status: verdict.status,
    valid: verdict.valid,
    tier: verdict.tier,
    features: verdict.features,
    sites_allowed: verdict.sitesAllowed,
    sites_used: verdict.sitesUsed,
    expires_at: verdict.expiresAt,
    paid_until: verdict.paidUntil ?? verdict.expiresAt,
    site_url: licence?.siteUrl ?? null,
    checked_at: toMomentOrNull(licence?.checkedAt ?? null),
    stale: since !== null,
    stale_since: toMomentOrNull(since),
    message: verdict.message + note,
  };
}

const toMomentOrNull = (at: number | null): string | null => (at === null ? null : toIsoMoment(at));
