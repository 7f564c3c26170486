import {
  type LicenceUse,
  listUse,
  type toActivationRecord,
} from '../licensing/activations/index.ts';
import {
  getLicenceStatus,
  type Licence,
  type LicenceEvent,
  listMaskedKeys,
  type Restriction,
  toExpiry,
} from '../licensing/licences/index.ts';
import { toIsoMoment } from '../platform/clock.ts';
import type { Platform } from '../platform/deps.ts';
import { historyTable, table } from './cli.ts';

const IDS_AT_ONCE = 5_000;

/** The fields that every command prints. */
export const summary = (licence: Licence, now = Date.now()) => ({
  id: licence.publicId,
  mode: licence.mode,
  tier: licence.tier,
  status: getLicenceStatus(licence, now),
  sites_allowed: licence.sitesAllowed,
  ...toExpiry(licence, now),
});

/** With masked key, customer and sites in use. */
export async function describeAll(
  { datastore: { db }, clock }: Platform,
  licences: (Licence & { email: string })[],
) {
  const [keys, use] = [new Map<number, string>(), new Map<number, LicenceUse>()];
  // Databases limit the number of parameters.
  for (let from = 0; from < licences.length; from += IDS_AT_ONCE) {
    const ids = licences.slice(from, from + IDS_AT_ONCE).map(({ id }) => id);
    for (const [id, key] of await listMaskedKeys(db, ids)) keys.set(id, key);
    for (const [id, each] of await listUse(db, ids)) use.set(id, each);
  }
  return licences.map((licence) => ({
    ...summary(licence, clock.now()),
    key: keys.get(licence.id) ?? '',
    email: licence.email,
    sites_used: use.get(licence.id)?.sitesUsed ?? 0,
    grace_days: licence.graceDays,
    development_sites_free: licence.developmentSitesFree,
    notes: licence.notes,
    issued_at: toIsoMoment(licence.issuedAt),
  }));
}

/** A licence with sites and history, as text. */
export function showText(
  info: Awaited<ReturnType<typeof describeAll>>[number],
  {
    restrictions,
    activations,
    events,
  }: {
    restrictions: (Pick<Restriction, 'effect' | 'cause' | 'actor'> & { since: string })[];
    activations: ReturnType<typeof toActivationRecord>[];
    events: (Omit<LicenceEvent, 'at'> & { at: string })[];
  },
): string {
  const facts = Object.entries(info).map(([name, value]) => [name, String(value)]);
  const stops = restrictions.map(({ effect, cause, since, actor }) => [
    effect,
    cause,
    since,
    actor,
  ]);
  const sites = activations.map((each) => [
    each.id,
    each.site_url,
    each.activated_at,
    each.deactivated_at ?? 'active',
  ]);
  return [
    table(['licence', ''], facts),
    ...(restrictions.length > 0 ? [table(['stopped', 'cause', 'since', 'by'], stops)] : []),
    activations.length > 0
      ? table(['site', 'url', 'activated', 'deactivated'], sites)
      : 'No site has been activated.',
    historyTable(events),
  ].join('\n\n');
}
