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
