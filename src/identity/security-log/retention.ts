import type { PersonalDataDeclaration } from '../../personal-data/index.ts';

/** What of the details names nobody. */
const KEPT_DETAILS = [
  'accounts',
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

/** The address and user agent of a failed attempt, or of the user who changed the account. */
const isOwn = ({ event }: Readonly<Record<string, unknown>>): boolean =>
  event === 'sign_in' || event === 'sign_out';

/**
 * Sign-ins, refused credentials, changes of users and exports. An erasure leaves them as proof of what
 * was done; retention takes addresses, devices, names and details, and leaves what happened, when and
 * by which user.
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
    isActive: true,
  },
};
