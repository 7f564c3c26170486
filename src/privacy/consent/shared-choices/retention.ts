import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';
import { CHOICE_LISTS } from '../retention.ts';

/** The latest choices of signed-in people, which are deleted when they expire. */
export const sharedChoices: PersonalDataDeclaration = {
  category: 'consent_subjects',
  label: 'Shared consent choices',
  table: 'consent_subjects',
  personal: { subject: 'random', visitor_id: 'random', language: 'null' },
  impersonal: ['consent_action', ...CHOICE_LISTS],
  shown: [
    'visitor_id',
    'created_at',
    'consent_action',
    ...CHOICE_LISTS,
    'expires_at',
    'config_version',
    'language',
  ],
  json: CHOICE_LISTS,
  given: ['visitor_id', ...CHOICE_LISTS, 'consent_action', 'created_at'],
  person: { visitor_id: ['visitor_id'] },
  keeps: [],
  erasure: 'delete',
};
