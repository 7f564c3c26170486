import type { RecordType } from '../../platform/records/index.ts';

/**
 * Decisions of visitors. Their age counts from their expiry: until then they are relied on, and must
 * be demonstrable (GDPR Art. 7(1)). The counts behind the statistics are kept apart and stay.
 */
export const consentRecords: RecordType = {
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
  impersonal: ['categories_accepted', 'categories_rejected', 'consent_action', 'day'],
  given: [
    'visitor_id',
    'categories_accepted',
    'categories_rejected',
    'consent_action',
    'created_at',
  ],
  person: { visitor_id: ['visitor_id'] },
  randomKeys: true,
  deletions: { table: 'consent_daily', column: 'removed', by: ['day', 'consent_action'] },
  policy: {
    name: 'Consent records: 13 months after they expire',
    periodValue: 13,
    periodUnit: 'months',
    action: 'anonymise',
    isActive: true,
  },
};
