import type { RecordType } from '../../records/index.ts';

/** Users of the console: kept as long as they may sign in. */
export const userRecords: RecordType = {
  category: 'users',
  label: 'Users',
  table: 'users',
  personal: { login: 'random', login_key: 'random', email: 'random' },
  impersonal: ['role', 'password_hash'],
  person: { email: ['email'] },
};

/** Who did what to a user. Anonymised, it still says what happened and when. */
export const userLog: RecordType = {
  category: 'user_log',
  label: 'Log of users',
  table: 'user_events',
  due: 'at',
  personal: {
    login: { text: 'anonymised' },
    actor: { text: 'anonymised' },
    details: { text: '{}' },
  },
  impersonal: ['action'],
  person: { email: ['user_id', 'users.email'] },
  policy: {
    name: 'Log of users: 24 months',
    periodValue: 24,
    periodUnit: 'months',
    action: 'anonymise',
    isActive: false,
  },
};
