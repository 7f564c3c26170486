import type { PersonalDataDeclaration } from '../../personal-data/index.ts';

/** Links with which customers sign in, for 15 minutes. That one was used is recorded nowhere. */
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
