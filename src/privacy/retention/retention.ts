import type { PersonalDataDeclaration } from '../../personal-data/index.ts';
import { removeLiftedHolds } from './changes/store.ts';

/** The change history. Anonymised entries and lifted holds still show what changed and when. */
export const retentionChanges: PersonalDataDeclaration = {
  category: 'retention_changes',
  label: 'Change history of retention',
  table: 'retention_changes',
  due: 'at',
  personal: { actor: { text: 'anonymised' }, reason: 'null' },
  impersonal: ['subject', 'action', 'before', 'after'],
  beforeRemoval: removeLiftedHolds,
  policy: {
    name: 'Change history of retention: 3 years',
    periodValue: 3,
    periodUnit: 'years',
    action: 'anonymise',
  },
};
