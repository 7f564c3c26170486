import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';

/** Decisions about findings of scans. Anonymised decisions still apply. */
export const findingDecisions: PersonalDataDeclaration = {
  category: 'finding_decisions',
  label: 'Decisions about findings of scans',
  table: 'finding_decisions',
  due: 'decided_at',
  personal: { actor: { text: 'anonymised' } },
  impersonal: ['site_url', 'thing', 'resource_type', 'name', 'url', 'decision', 'reason'],
  anonymisedOnly: 'a decision applies until it is replaced',
  policy: {
    name: 'Decisions about findings of scans: 3 years',
    periodValue: 3,
    periodUnit: 'years',
    action: 'anonymise',
  },
};
