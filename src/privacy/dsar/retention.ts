import type { RecordType } from '../../platform/records/index.ts';

/**
 * Requests of data subjects. Their age counts from their end. Anonymised, a case still says what was
 * asked and when it was answered, which has to be kept for 24 months (11 CCR §7101).
 */
export const caseRecords: RecordType = {
  category: 'dsar_cases',
  label: 'Data-subject requests',
  table: 'dsar_cases',
  due: 'closed_at',
  personal: {
    first_name: 'null',
    last_name: 'null',
    email: 'null',
    additional_info: 'null',
    visitor_id: 'null',
    visitor_claim: 'null',
    assignee: 'null',
    postal_address: 'null',
    phone: 'null',
    representative: 'null',
    identity_proof: 'null',
  },
  impersonal: [
    'reference',
    'request_type',
    'status',
    'language',
    'channel',
    'regime',
    'received_on',
    'deadline',
    'paused_on',
    'ground',
  ],
  given: [
    'request_type',
    'first_name',
    'last_name',
    'email',
    'postal_address',
    'phone',
    'representative',
    'additional_info',
    'received_at',
  ],
  person: { email: ['email'] },
  parts: [
    {
      table: 'dsar_pages',
      parent: 'case_id',
      personal: { records: { text: '[]' } },
      impersonal: [],
    },
    {
      table: 'dsar_tasks',
      parent: 'case_id',
      personal: { next_page: 'null', last_error: 'null', reason: 'null', result: 'null' },
      impersonal: ['kind', 'source', 'label', 'status', 'ground', 'outcome'],
    },
    {
      table: 'dsar_packages',
      parent: 'case_id',
      personal: { file_name: 'null' },
      impersonal: ['sha256'],
    },
    {
      table: 'dsar_acknowledgements',
      parent: 'case_id',
      personal: {},
      impersonal: ['kind', 'source'],
    },
    {
      table: 'dsar_tokens',
      parent: 'case_id',
      personal: {},
      impersonal: ['purpose', 'token_hash'],
    },
    {
      table: 'dsar_events',
      parent: 'case_id',
      personal: { actor: { text: 'anonymised' }, details: { text: '{}' } },
      impersonal: ['action'],
    },
  ],
  policy: {
    name: 'Data-subject requests: 24 months after they are closed',
    periodValue: 24,
    periodUnit: 'months',
    action: 'anonymise',
    isActive: true,
  },
};

/**
 * What was collected for people. A file goes with its name: without one there is no download, and what
 * no row names is removed from the folder within the hour. Whose they are their cases say, and erasing
 * those anonymises them too, so they are no source of their own: they only repeat what sources have.
 */
export const packageRecords: RecordType = {
  category: 'dsar_packages',
  label: 'Packages of data-subject requests',
  table: 'dsar_packages',
  due: 'case_closed_at',
  personal: { file_name: 'null' },
  impersonal: ['sha256'],
  // A day longer than the link to it works.
  policy: {
    name: 'Packages: 8 days after the request is closed',
    periodValue: 8,
    periodUnit: 'days',
    action: 'delete',
    isActive: true,
  },
};
