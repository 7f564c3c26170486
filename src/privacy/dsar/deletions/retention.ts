import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';

/** The log of deleted requests. Anonymised entries still count in the metrics. */
export const caseDeletions: PersonalDataDeclaration = {
  category: 'dsar_deletions',
  label: 'Deletion log of data-subject requests',
  table: 'dsar_deletions',
  due: 'deleted_at',
  personal: { actor: { text: 'anonymised' }, reason: 'null' },
  impersonal: ['reference', 'request_type', 'status', 'received_on'],
  policy: {
    name: 'Deletion log of data-subject requests: 3 years',
    periodValue: 3,
    periodUnit: 'years',
    action: 'anonymise',
  },
};
