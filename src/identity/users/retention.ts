import type { PersonalDataDeclaration } from '../../personal-data/index.ts';

/*
 * Users of the console are staff. Nobody can erase an account, or the trail of what was done with it,
 * by asking for it on a public page: an administrator deletes a user.
 */

/** Users of the console: kept as long as they may sign in. */
export const userRecords: PersonalDataDeclaration = {
  category: 'users',
  label: 'Users',
  table: 'users',
  personal: { login: 'random', login_key: 'random', email: 'random' },
  impersonal: ['role', 'password_hash'],
  shown: ['login', 'email', 'role', 'created_at', 'last_seen_at'],
  person: { email: ['email'] },
  keeps: [{ ground: 'console_account' }],
  needsDecision: true,
};

/** Where users are signed in. */
export const userSessions: PersonalDataDeclaration = {
  category: 'user_sessions',
  label: 'Sessions of users',
  table: 'sessions',
  personal: { token_hash: 'random' },
  impersonal: [],
  shown: ['created_at', 'expires_at'],
  person: { email: ['user_id', 'users.email'] },
  keeps: [{ ground: 'console_account' }],
};

/** What users let programs sign in with. */
export const applicationPasswords: PersonalDataDeclaration = {
  category: 'application_passwords',
  label: 'Application passwords',
  table: 'application_passwords',
  personal: { name: { text: '' }, hash: 'random' },
  impersonal: ['uuid', 'app_id'],
  shown: ['name', 'created_at', 'last_used_at'],
  person: { email: ['user_id', 'users.email'] },
  keeps: [{ ground: 'console_account' }],
};

/**
 * Who did what to a user. It proves what was done, so an erasure leaves it; retention takes names and
 * details and leaves what happened, when, to which user and by which user.
 */
export const userLog: PersonalDataDeclaration = {
  category: 'user_log',
  label: 'Log of users',
  table: 'user_events',
  due: 'at',
  personal: {
    login: { user: 'user_id' },
    actor: { user: 'actor_id' },
    details: { text: '{}' },
  },
  impersonal: ['action'],
  shown: ['at', 'login', 'action', 'actor', 'details'],
  json: ['details'],
  members: { details: () => ['role', 'from', 'to'] },
  actors: ['actor'],
  person: { email: ['user_id', 'users.email'] },
  keeps: [{ ground: 'evidence' }],
  policy: {
    name: 'Log of users: 24 months',
    periodValue: 24,
    periodUnit: 'months',
    action: 'anonymise',
    isActive: true,
  },
};
