import type { PersonalDataDeclaration } from '../../personal-data/index.ts';
import { logRemoval, toEntryColumns } from '../consent-log/index.ts';
import { withdrawConsent } from './withdrawal/service.ts';
import { HELD_CONSENTS } from './withdrawal/store.ts';

export const CHOICE_LISTS = [
  'categories_accepted',
  'categories_rejected',
  'vendors_accepted',
  'vendors_rejected',
];

/**
 * Consent records. Their age counts from their expiry: until then the controller relies on them and must be able to
 * demonstrate consent (GDPR Art. 7(1)). The counts for statistics are separate and stay.
 */
export const consentRecords: PersonalDataDeclaration = {
  category: 'consent_records',
  label: 'Consent records',
  table: 'consent_records',
  due: 'expires_at',
  personal: {
    visitor_id: 'random',
    created_at: 'day_start',
    expires_at: 'day_end',
    source: 'null',
    language: 'null',
    page_url: 'null',
    gpc: 'null',
  },
  impersonal: [...CHOICE_LISTS, 'consent_action', 'day'],
  shown: [
    'visitor_id',
    'created_at',
    'consent_action',
    ...CHOICE_LISTS,
    'expires_at',
    'config_version',
    'source',
    'language',
    'page_url',
    'gpc',
  ],
  json: CHOICE_LISTS,
  flags: ['gpc'],
  heldWith: { consent_records: HELD_CONSENTS },
  // Consent that has not expired is withdrawn by `beforeErasure`.
  keeps: [],
  beforeErasure: withdrawConsent,
  beforeRemoval: (trx, removal) => logRemoval(trx, toEntryColumns(consentRecords), removal),
  given: ['visitor_id', ...CHOICE_LISTS, 'consent_action', 'created_at'],
  person: { visitor_id: ['visitor_id'] },
  randomKeys: true,
  deletions: { table: 'consent_daily', column: 'removed', by: ['day', 'consent_action'] },
  policy: {
    name: 'Consent records: 13 months after they expire',
    periodValue: 13,
    periodUnit: 'months',
    action: 'anonymise',
  },
};
