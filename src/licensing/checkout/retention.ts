import type { RecordType } from '../../platform/records/index.ts';

/** Purchases that were begun; deleted a month later, see `licenceJob`. */
export const checkoutOrders: RecordType = {
  category: 'checkout_orders',
  label: 'Checkout orders',
  table: 'checkout_orders',
  personal: { email: 'null', success_url: 'null', cancel_url: 'null' },
  impersonal: [
    'public_id',
    'idempotency_hash',
    'request_hash',
    'provider',
    'tier',
    'billing_interval',
    'session_id',
    'url',
  ],
  person: { email: ['email'] },
  given: ['email'],
};
