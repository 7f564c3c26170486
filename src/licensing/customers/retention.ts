import type { RecordType } from '../../platform/records/index.ts';

/** Customers: kept as long as they have licences, which cannot be reached without their address. */
export const customerRecords: RecordType = {
  category: 'customers',
  label: 'Customers',
  table: 'customers',
  personal: { email: 'random' },
  impersonal: [],
  given: ['email'],
  person: { email: ['email'] },
};
