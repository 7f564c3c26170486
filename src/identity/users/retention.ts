import type { PersonalDataDeclaration } from '../../personal-data/index.ts';

/** Users are staff: an erasure request on the public page keeps them. An administrator deletes a user. */
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

export const userSessions: PersonalDataDeclaration = {
  category: 'user_sessions',
  label: 'User sessions',
  table: 'sessions',
  personal: { token_hash: 'random', address: 'null', user_agent: 'null' },
  impersonal: ['method'],
  shown: ['created_at', 'last_used_at', 'expires_at', 'address', 'user_agent'],
  person: { email: ['user_id', 'users.email'] },
  keeps: [{ ground: 'console_account' }],
};

/** Links that reset a password, which live an hour. */
export const passwordResets: PersonalDataDeclaration = {
  category: 'password_resets',
  label: 'Password reset links',
  table: 'password_resets',
  personal: { account_hash: 'random', token_hash: 'random' },
  impersonal: [],
  shown: ['created_at', 'expires_at'],
  person: { email: ['user_id', 'users.email'] },
  keeps: [],
  erasure: 'delete',
};

export const applicationPasswords: PersonalDataDeclaration = {
  category: 'application_passwords',
  label: 'Application passwords',
  table: 'application_passwords',
  personal: { name: { text: '' }, hash: 'random' },
  impersonal: ['uuid', 'app_id', 'scopes'],
  shown: ['name', 'created_at', 'last_used_at', 'expires_at', 'scopes'],
  json: ['scopes'],
  person: { email: ['user_id', 'users.email'] },
  keeps: [{ ground: 'console_account' }],
};

export const authenticatorApps: PersonalDataDeclaration = {
  category: 'authenticator_apps',
  label: 'Authenticator apps',
  table: 'authenticator_apps',
  personal: { sealed_secret: 'random' },
  impersonal: [],
  shown: ['created_at'],
  person: { email: ['user_id', 'users.email'] },
  keeps: [{ ground: 'console_account' }],
};

export const passkeys: PersonalDataDeclaration = {
  category: 'passkeys',
  label: 'Passkeys',
  table: 'passkeys',
  personal: { name: { text: '' }, credential_id: 'random', public_key: 'random' },
  impersonal: ['transports'],
  shown: ['name', 'created_at', 'last_used_at'],
  person: { email: ['user_id', 'users.email'] },
  keeps: [{ ground: 'console_account' }],
};

/** Evidence: an erasure keeps it. Retention removes names and details, and keeps action, time, user and actor by id. */
export const userLog: PersonalDataDeclaration = {
  category: 'user_log',
  label: 'User activity log',
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
    name: 'User activity log: 24 months',
    periodValue: 24,
    periodUnit: 'months',
    action: 'anonymise',
  },
};
