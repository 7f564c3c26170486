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
  // A revocation that replaces a suspension is one event, and so is a suspension that is left when a revocation ends.
  if (getEffect(before) !== getEffect(after)) types.add(`licence.${getEffect(after)}`);
  return [...types];
}

function getEffect({ suspendedAt, revokedAt }: State): 'revoked' | 'suspended' | 'reinstated' {
  if (revokedAt !== null) return 'revoked';
  return suspendedAt === null ? 'reinstated' : 'suspended';
}
