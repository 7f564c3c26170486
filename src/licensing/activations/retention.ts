import type { RecordType } from '../../platform/records/index.ts';

/** Sites that used a licence once. While one is active its slot and its history are in use. */
export const activationHistory: RecordType = {
  category: 'activation_history',
  label: 'Activation history',
  table: 'activations',
  due: 'deactivated_at',
  personal: { site_key: 'random', site_url: { text: 'https://anonymised.invalid' } },
  impersonal: [],
  given: ['site_url', 'activated_at', 'deactivated_at'],
  person: { email: ['licence_id', 'licences.customer_id', 'customers.email'] },
};
