import type { PersonalDataDeclaration } from '../../personal-data/index.ts';

/** Sign-in links, which live 15 minutes. Their use is not recorded. */
export const signInLinks: PersonalDataDeclaration = {
  category: 'sign_in_links',
  label: 'Sign-in links',
  table: 'magic_links',
  personal: { address_hash: 'random', token_hash: 'random' },
  impersonal: [],
  shown: ['created_at', 'expires_at'],
  person: { email: ['customer_id', 'customers.email'] },
  keeps: [],
  erasure: 'delete',
};
