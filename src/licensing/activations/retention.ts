import type { PersonalDataDeclaration } from '../../personal-data/index.ts';
import { usesRunningLicence } from '../customers/index.ts';

/** Sites that use or used a licence. Sites in use of an active licence are kept. */
export const activationHistory: PersonalDataDeclaration = {
  category: 'activation_history',
  label: 'Activation history',
  table: 'activations',
  due: 'deactivated_at',
  personal: {
    site_key: 'random',
    site_url: { text: 'https://anonymised.invalid' },
    deactivated_at: 'now',
  },
  impersonal: [],
  shown: ['licence', 'site_url', 'activated_at', 'deactivated_at'],
  named: { licence: ['licence_id', 'licences.public_id'] },
  given: ['site_url', 'activated_at', 'deactivated_at'],
  person: { email: ['customer_id', 'customers.email'] },
  keeps: [{ ground: 'contract', where: usesRunningLicence }],
};
