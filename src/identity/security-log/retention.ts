import type { PersonalDataDeclaration } from '../../personal-data/index.ts';

/** Details without personal data. */
const KEPT_DETAILS = [
  'accounts',
  'count',
  'failures',
  'format',
  'from',
  'known_device',
  'merged',
  'method',
  'reason',
  'records',
  'role',
  'scope',
  'to',
  'unknown_logins',
  'what',
];

/** Other events have the address of an attacker or of another user. */
const isOwn = ({ event }: Readonly<Record<string, unknown>>): boolean =>
  event === 'sign_in' || event === 'sign_out';

/**
 * Evidence: an erasure keeps it. Retention removes addresses, devices, names and details, and keeps event, time and
 * user ids.
 */
export const securityLog: PersonalDataDeclaration = {
  category: 'security_log',
  label: 'Security log',
  table: 'security_events',
  due: 'at',
  personal: {
    login: { user: 'user_id' },
    actor: { user: 'actor_id' },
    address: 'null',
    user_agent: 'null',
    details: { members: KEPT_DETAILS },
    slot: 'null',
  },
  impersonal: ['event', 'alert'],
  shown: ['at', 'login', 'event', 'address', 'user_agent', 'actor', 'count', 'details'],
  shownWhere: { address: isOwn, user_agent: isOwn },
  json: ['details'],
  members: { details: () => ['role', 'from', 'to'] },
  actors: ['actor'],
  person: { email: ['user_id', 'users.email'] },
  keeps: [{ ground: 'evidence' }],
  policy: {
    name: 'Security log: 30 days',
    periodValue: 30,
    periodUnit: 'days',
    action: 'anonymise',
  },
};
