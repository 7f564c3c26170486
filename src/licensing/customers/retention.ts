import type { PersonalDataDeclaration } from '../../personal-data/index.ts';
import { hasHeldRecord, hasLicence, hasOpenOrder } from './remaining/store.ts';

/**
 * Customers are kept while a licence, order or legal hold needs them, and then for the three years of the
 * limitation period (§ 195 BGB; from the end of the year by § 199, which the policy does not count). Their sites and sign-in links are deleted with them.
 */
export const customerRecords: PersonalDataDeclaration = {
  category: 'customers',
  label: 'Customers',
  table: 'customers',
  due: 'active_until',
  personal: { email: 'random', session_version: 'next' },
  impersonal: [],
  shown: ['email', 'created_at'],
  given: ['email'],
  person: { email: ['email'] },
  keeps: [
    { ground: 'contract', where: hasLicence, fromRetention: true },
    { ground: 'open_order', where: hasOpenOrder, fromRetention: true },
    { ground: 'legal_hold', where: hasHeldRecord, fromRetention: true },
  ],
  needsDecision: true,
  anonymisedOnly: 'licences and purchases refer to them',
  parts: [
    {
      table: 'activations',
      parent: 'customer_id',
      personal: {
        site_key: 'random',
        site_url: { text: 'https://anonymised.invalid' },
        deactivated_at: 'now',
        anonymised_at: 'now',
      },
      impersonal: [],
    },
    {
      table: 'licences',
      parent: 'customer_id',
      personal: { notes: { text: '' } },
      impersonal: ['public_id', 'mode', 'tier'],
    },
    {
      table: 'magic_links',
      parent: 'customer_id',
      personal: { address_hash: 'random', client_hash: 'random', token_hash: 'random' },
      impersonal: [],
    },
  ],
  policy: {
    name: 'Customers: 3 years after their last licence ended',
    periodValue: 3,
    periodUnit: 'years',
    action: 'anonymise',
  },
};
