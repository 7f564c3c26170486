import type { EventType } from '../../../webhooks/index.ts';
import type { Licence } from '../rules.ts';

/** The webhook event of an action. Events of payments follow from the payments and from what they change. */
const TYPES: Readonly<Record<string, EventType>> = {
  issued: 'licence.issued',
  extended: 'licence.updated',
  edited: 'licence.updated',
  transferred: 'licence.updated',
  rerolled: 'licence.updated',
  renewed: 'licence.renewed',
  suspended: 'licence.suspended',
  reinstated: 'licence.reinstated',
  revoked: 'licence.revoked',
  activated: 'activation.created',
  deactivated: 'activation.deleted',
};

type State = Pick<
  Licence,
  'tier' | 'sitesAllowed' | 'graceDays' | 'expiresAt' | 'suspendedAt' | 'revokedAt'
>;

/** The types of webhook events for an action and for what it has changed. */
export function listEventTypes(
  action: string,
  changes?: { before: State; after: State },
): EventType[] {
  const own = TYPES[action];
  const types = new Set<EventType>(own ? [own] : []);
  if (!changes) return [...types];
  const { before, after } = changes;
  const fields = ['tier', 'sitesAllowed', 'graceDays', 'expiresAt'] as const;
  if (fields.some((field) => before[field] !== after[field])) types.add('licence.updated');
  const isSet = (moment: number | null) => moment !== null;
  const [wasSuspended, isSuspended] = [isSet(before.suspendedAt), isSet(after.suspendedAt)];
  const [wasRevoked, isRevoked] = [isSet(before.revokedAt), isSet(after.revokedAt)];
  if (isRevoked && !wasRevoked) types.add('licence.revoked');
  if (isSuspended && !wasSuspended) types.add('licence.suspended');
  if ((wasRevoked && !isRevoked) || (wasSuspended && !isSuspended)) types.add('licence.reinstated');
  return [...types];
}
