import type { PersonalDataDeclaration } from '../../personal-data/index.ts';
import { hasCustomerInUse } from '../customers/index.ts';

/**
 * Licences. Only the notes may contain personal data. Without them, and once the customer is anonymised, a licence
 * is anonymous and still shows what was issued and when.
 */
export const licenceRecords: PersonalDataDeclaration = {
  category: 'licences',
  label: 'Licences',
  table: 'licences',
  personal: { notes: { text: '' } },
  impersonal: ['public_id', 'mode', 'tier', 'features_added', 'features_removed'],
  shown: [
    'public_id',
    'tier',
    'mode',
    'sites_allowed',
    'grace_days',
    'development_sites_free',
    'is_trial',
    'issued_at',
    'expires_at',
    'suspended_at',
    'revoked_at',
    'notes',
  ],
  flags: ['development_sites_free', 'is_trial'],
  person: { email: ['customer_id', 'customers.email'] },
  keeps: [{ ground: 'contract', where: hasCustomerInUse }],
  parts: [
    {
      table: 'licence_restrictions',
      parent: 'licence_id',
      personal: { actor: { user: 'actor_id' } },
      impersonal: ['effect', 'cause'],
    },
    {
      table: 'licence_imports',
      parent: 'licence_id',
      personal: { base: { text: '{}' } },
      // Without these hashes, the next import of an old file would create the licence again.
      impersonal: ['identity_hash', 'old_key_hash'],
    },
    {
      table: 'api_issues',
      parent: 'licence_id',
      personal: { body_hash: { text: '' } },
      // Without this hash, a repeated request would issue the licence again.
      impersonal: ['key_hash'],
    },
  ],
};

/**
 * The audit log of licences. It is evidence, so an erasure keeps it. Retention removes the details and keeps the
 * action, its time and the user.
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
      'reason',
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
  },
};
