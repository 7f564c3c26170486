import type { PersonalDataDeclaration } from '../../personal-data/index.ts';

/** The links between users and an identity provider, deleted with the user. */
export const userIdentities: PersonalDataDeclaration = {
  category: 'user_identities',
  label: 'Single sign-on identities',
  table: 'user_identities',
  personal: { subject: 'random' },
  impersonal: ['issuer'],
  shown: ['issuer', 'subject', 'created_at', 'last_used_at'],
  person: { email: ['user_id', 'users.email'] },
  keeps: [{ ground: 'console_account' }],
};
