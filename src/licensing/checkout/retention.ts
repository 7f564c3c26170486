import type { PersonalDataDeclaration } from '../../personal-data/index.ts';
import { isOrderOpen } from './orders/store.ts';
import { isStillPaid } from './purchases/store.ts';

/** Checkout orders; deleted after 30 days, see `licenceJob`. */
export const checkoutOrders: PersonalDataDeclaration = {
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
    'licence',
    'session_id',
    'url',
  ],
  shown: ['public_id', 'tier', 'billing_interval', 'quantity', 'email', 'created_at', 'expires_at'],
  person: { email: ['email'] },
  given: ['email'],
  keeps: [{ ground: 'open_order', where: isOrderOpen }],
  erasure: 'delete',
};

/**
 * Purchases as records for the tax authority. § 147 AO and § 14b UStG require invoices for eight years from the
 * end of the calendar year (ten before 2025), the UK's VAT Notice 700/21 and Finance Act 1998, Schedule 18, for six. The
 * period is a policy and can be changed for another country. Purchases that are still paid stay: payments find them by their
 * ids, and they keep the buyer of a transferred licence.
 */
export const purchaseRecords: PersonalDataDeclaration = {
  category: 'purchases',
  label: 'Purchases',
  table: 'purchases',
  due: 'year_ends_at',
  personal: { session_id: 'random', customer_id: 'null' },
  impersonal: ['tier', 'unknown_price', 'replaced'],
  shown: ['licence', 'bought_at', 'tier', 'quantity', 'expires_at', 'renews', 'session_id'],
  named: { licence: ['licence_id', 'licences.public_id'] },
  flags: ['renews'],
  person: { email: ['customer_id', 'customers.email'] },
  keeps: [
    { ground: 'statutory_retention' },
    { ground: 'contract', where: isStillPaid, fromRetention: true },
  ],
  parts: [
    {
      table: 'payment_refs',
      parent: ['payment_event_id', 'payment_events.purchase_id'],
      personal: { ref: 'random' },
      impersonal: [],
    },
    {
      table: 'payment_events',
      parent: 'purchase_id',
      personal: { fact: { members: ['kind', 'isPaid', 'mode', 'tier', 'interval', 'quantity'] } },
      impersonal: ['event_id'],
    },
  ],
  policy: {
    name: 'Purchases: 8 years after the end of the year',
    periodValue: 8,
    periodUnit: 'years',
    action: 'anonymise',
  },
};
