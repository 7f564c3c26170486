import type { getLicenceDetail } from '../licensing/admin/index.ts';
import { formatAmount } from '../licensing/checkout/index.ts';
import {
  describeEntitlement,
  getLicenceStatus,
  type Licence,
  toExpiry,
} from '../licensing/licences/index.ts';
import type { Platform } from '../platform/deps.ts';
import { historyTable, table } from './cli.ts';

export const formatSites = (count: number): string => `${count} ${count === 1 ? 'site' : 'sites'}`;

/** The fields that every command prints. */
export async function readSummary({ catalogue, clock }: Platform, licence: Licence) {
  const now = clock.now();
  const { product } = describeEntitlement(await catalogue.read([licence]), licence);
  return {
    id: licence.publicId,
    mode: licence.mode,
    product,
    tier: licence.tier,
    status: getLicenceStatus(licence, now),
    sites_allowed: licence.sitesAllowed,
    ...toExpiry(licence, now),
  };
}

/** A licence with its sites and history. */
export function formatLicence({
  restrictions,
  activations,
  events,
  notice: _notice,
  ...fields
}: Awaited<ReturnType<typeof getLicenceDetail>>['detail']): string {
  const facts = Object.entries(fields).map(([name, value]) => [name, String(value ?? '-')]);
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
    ...(stops.length > 0 ? [table(['restriction', 'cause', 'since', 'by'], stops)] : []),
    sites.length > 0
      ? table(['site', 'url', 'activated', 'deactivated'], sites)
      : 'No site has been activated.',
    historyTable(events.map(formatEvent)),
  ].join('\n\n');
}

type LicenceEvent = Awaited<ReturnType<typeof getLicenceDetail>>['detail']['events'][number];

/** Payments have their amount in the unit of the currency, as in the console. */
function formatEvent(event: LicenceEvent): LicenceEvent {
  const { amount, currency, ...details } = event.details;
  if (typeof amount !== 'number' || typeof currency !== 'string') return event;
  return { ...event, details: { amount: formatAmount(amount, currency), ...details } };
}
