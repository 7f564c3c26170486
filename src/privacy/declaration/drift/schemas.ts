import { type Static, Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../../../platform/clock.ts';
import { Moment, nullable } from '../../../platform/http/schemas.ts';
import type { Drift } from './service.ts';

const Undeclared = Type.Object(
  {
    vendor_id: nullable(Type.Integer({ description: 'Null: a host without a known vendor.' })),
    slug: nullable(Type.String()),
    name: Type.String({ description: 'The vendor or the host.' }),
    category: nullable(Type.String({ description: 'Consent category; null if unknown.' })),
    hosts: Type.Array(Type.String()),
    since: Moment('When a scan of the site first saw it.'),
  },
  { title: 'UndeclaredThirdParty' },
);

const Unseen = Type.Object(
  {
    entry_id: Type.Integer({ description: 'The data map entry.' }),
    vendor_id: Type.Integer(),
    slug: Type.String(),
    name: Type.String({ description: 'The vendor.' }),
    purpose: Type.String(),
    scans: Type.Integer({ minimum: 1, description: 'The latest scans in a row without it.' }),
    since: Moment('When the first of these scans was completed.'),
    last_seen: nullable(
      Moment('When the last scan that saw it was completed; null if none of the last 10 did.'),
    ),
  },
  { title: 'UnseenDataMapEntry' },
);

export const DriftRecord = Type.Object(
  {
    scan_id: nullable(
      Type.Integer({ description: 'The latest completed scan; null if there is none.' }),
    ),
    scanned_at: nullable(Moment('When this scan was completed.')),
    undeclared: Type.Array(Undeclared, {
      description: 'Third parties that the scan saw and that have no active data map entry.',
    }),
    unseen: Type.Array(Unseen, {
      description:
        'Active data map entries whose vendor the scan did not see. Entries of vendors that a scan cannot recognise, without domains and cookies, are left out.',
    }),
  },
  {
    title: 'DeclarationDrift',
    description: 'Differences between the data map and the latest completed scan of the site.',
  },
);

export const toDriftRecord = ({ scan, undeclared, unseen }: Drift): Static<typeof DriftRecord> => ({
  scan_id: scan?.id ?? null,
  scanned_at: scan ? toIsoMoment(scan.completedAt) : null,
  undeclared: undeclared.map(({ vendor, hosts, category, since }) => ({
    vendor_id: vendor?.id ?? null,
    slug: vendor?.slug ?? null,
    name: vendor?.name ?? hosts[0] ?? '',
    category,
    hosts,
    since: toIsoMoment(since),
  })),
  unseen: unseen.map(({ entry, since, lastSeen, scans }) => ({
    entry_id: entry.id,
    vendor_id: entry.vendor_id,
    slug: entry.vendor_slug,
    name: entry.vendor_name,
    purpose: entry.purpose,
    scans,
    since: toIsoMoment(since),
    last_seen: toIsoMomentOrNull(lastSeen),
  })),
});
