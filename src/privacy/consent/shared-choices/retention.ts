import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';

/** The latest choices of signed-in people, which are deleted when they expire. */
export const sharedChoices: PersonalDataDeclaration = {
  category: 'consent_subjects',
  label: 'Shared consent choices',
  table: 'consent_subjects',
  personal: { subject: 'random', visitor_id: 'random', language: 'null' },
  impersonal: [
    'consent_action',
    'categories_accepted',
    'categories_rejected',
    'vendors_accepted',
    'vendors_rejected',
  ],
  shown: [
    'visitor_id',
    'created_at',
    'consent_action',
    'categories_accepted',
    'categories_rejected',
    'vendors_accepted',
    'vendors_rejected',
    'expires_at',
    'config_version',
    'language',
  ],
  json: ['categories_accepted', 'categories_rejected', 'vendors_accepted', 'vendors_rejected'],
  given: [
    'visitor_id',
    'categories_accepted',
    'categories_rejected',
    'vendors_accepted',
    'vendors_rejected',
    'consent_action',
    'created_at',
  ],
  person: { visitor_id: ['visitor_id'] },
  keeps: [],
  erasure: 'delete',
};
