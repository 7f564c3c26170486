import { type Static, Type } from 'typebox';
import { toIsoMomentOrNull } from '../../platform/clock.ts';
import { toRecord } from '../../platform/http/record.ts';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { createEmptyVerdict, getStaleSince, isSameSite, SITE_LICENCE_STATUSES } from './rules.ts';
import type { SiteLicence } from './store.ts';

export const LicenceKeyArgs = Type.Object(
  {
    key: Text(256, { description: 'The licence key of this site. It is stored encrypted.' }),
  },
  { title: 'SiteLicenceKey', examples: [{ key: 'pv_live_Vb7Kq2LmX9TzR4WdN8cYhF3sJpG6uEaQ' }] },
);

export const SiteLicenceRecord = Type.Object(
  {
    key: nullable(Type.String({ description: 'Masked.' })),
    status: OneOf(SITE_LICENCE_STATUSES, {
      description:
        '`none`: no key is saved. `unverified`: the licence server has not answered yet. `inactive`: the ' +
        'licence is valid, but this site was deactivated, or the key was saved for another site. `full`: the licence has no free slot for this site.',
    }),
    valid: Type.Boolean({ description: 'For information. No function depends on it.' }),
    tier: nullable(Type.String()),
    features: Type.Array(Type.String()),
    sites_allowed: nullable(Type.Integer()),
    sites_used: nullable(Type.Integer()),
    expires_at: nullable(
      Moment(
        'When the licence expires; in a grace period, when that ends.',
        '2027-11-21T00:00:00.000Z',
      ),
    ),
    paid_until: nullable(Moment('The end of the paid period.', '2027-11-21T00:00:00.000Z')),
    site_url: nullable(Type.String({ description: 'The site for which the licence is used.' })),
    checked_at: nullable(
      Moment(
        'When the licence server last answered. It is asked every 12 hours in the background, and when the licence was to expire.',
        '2026-11-21T09:30:00.000Z',
      ),
    ),
    stale: Type.Boolean({
      description:
        'Whether the last answer is older than 12 hours, the licence was to expire since, or a later check has failed.',
    }),
    stale_since: nullable(Moment('When it became stale.', '2026-11-21T21:30:00.000Z')),
    message: Type.String({ description: 'The status in one or two sentences.' }),
  },
  { title: 'SiteLicence' },
);

export const SiteLicenceRemoval = Type.Object(
  {
    deleted: Type.Literal(true),
    previous: SiteLicenceRecord,
    deactivated: Type.Boolean({
      description:
        'False if the licence server could not be reached. The site is deactivated as soon as it can.',
    }),
    message: Type.String(),
  },
  { title: 'SiteLicenceRemoval' },
);

const NO_KEY = createEmptyVerdict('none', 'No licence key is saved.');
const UNVERIFIED = createEmptyVerdict(
  'unverified',
  'The key is saved. It is checked as soon as the licence server answers.',
);

const createMovedVerdict = (site: string) =>
  createEmptyVerdict(
    'inactive',
    `The key was saved for ${site}. Save it again to activate this site.`,
  );

/** @param site.url the protected site, which may be another than that of the licence */
export function toSiteLicenceRecord(
  licence: SiteLicence | undefined,
  site: { url: string; now: number },
): Static<typeof SiteLicenceRecord> {
  const isMoved = licence !== undefined && !isSameSite(licence.site, site.url);
  const since = licence && !isMoved ? getStaleSince(licence, site.now) : null;
  const known = licence ? (licence.verdict ?? UNVERIFIED) : NO_KEY;
  const verdict = isMoved ? createMovedVerdict(licence.site) : known;
  const reason =
    licence?.failing_since === null ? 'is being asked again' : 'cannot be reached at the moment';
  const note =
    since !== null && verdict !== UNVERIFIED
      ? ` This is its last answer. The licence server ${reason}.`
      : '';
  return toRecord(SiteLicenceRecord, {
    ...verdict,
    key: licence?.masked_key ?? null,
    paidUntil: verdict.paidUntil ?? verdict.expiresAt,
    siteUrl: licence?.site ?? null,
    checkedAt: toIsoMomentOrNull(licence?.checked_at ?? null),
    stale: since !== null,
    staleSince: toIsoMomentOrNull(since),
    message: verdict.message + note,
  });
}
