import type { RecordType } from '../../platform/records/index.ts';

/** Who did what to a licence. Anonymised, it still says what happened and when. */
export const auditLog: RecordType = {
  category: 'audit_log',
  label: 'Audit log',
  table: 'licence_events',
  due: 'at',
  personal: { actor: { text: 'anonymised' }, details: { text: '{}' } },
  impersonal: ['action'],
  person: { email: ['licence_id', 'licences.customer_id', 'customers.email'] },
  policy: {
    name: 'Audit log: 24 months',
    periodValue: 24,
    periodUnit: 'months',
    action: 'anonymise',
    isActive: false,
  },
};
