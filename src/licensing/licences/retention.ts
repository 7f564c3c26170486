import type { PersonalDataDeclaration } from '../../personal-data/index.ts';
import { hasCustomerInUse } from '../customers/index.ts';

/**
 * Licences. Only the notes of the vendor's staff may name somebody: without them, and once their customer is
 * anonymised, they lead to no one, and what was issued and when can still be shown.
 */
export const licenceRecords: PersonalDataDeclaration = {
  category: 'licences',
  label: 'Licences',
  table: 'licences',
  personal: { notes: { text: '' } },
  impersonal: ['public_id', 'mode', 'tier'],
  shown: [
    'public_id',
    'tier',
    'mode',
    'sites_allowed',
    'grace_days',
    'development_sites_free',
    'issued_at',
    'expires_at',
    'suspended_at',
    'revoked_at',
    'notes',
  ],
  flags: ['development_sites_free'],
  person: { email: ['customer_id', 'customers.email'] },
  keeps: [{ ground: 'contract', where: hasCustomerInUse('licences') }],
  parts: [
    {
      table: 'licence_restrictions',
      parent: 'licence_id',
      personal: { actor: { user: 'actor_id' } },
      impersonal: ['effect', 'cause'],
    },
  ],
};

/**
 * Who did what to a licence. It proves what was done, so an erasure leaves it; retention takes the
 * details and leaves what happened, when, and by which user.
 */
export const auditLog: PersonalDataDeclaration = {
  category: 'audit_log',
  label: 'Audit log',
  table: 'licence_events',
  due: 'at',
  personal: { actor: { user: 'actor_id' }, details: { text: '{}' } },
  impersonal: ['action'],
  shown: ['at', 'licence', 'action', 'actor', 'details'],
  named: { licence: ['licence_id', 'licences.public_id'] },
  json: ['details'],
  members: {
    details: () => [
      'site_url',
      'mode',
      'tier',
      'sites_allowed',
      'expires_at',
      'from',
      'to',
      'new_key',
    ],
  },
  actors: ['actor'],
  person: { email: ['customer_id', 'customers.email'] },
  keeps: [{ ground: 'evidence' }],
  policy: {
    name: 'Audit log: 24 months',
    periodValue: 24,
    periodUnit: 'months',
    action: 'anonymise',
    isActive: true,
  },
};
