import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';

/** What of the details of an event says what was done. Everything else may be somebody's free text. */
const FACTS = [
  'from',
  'to',
  'status',
  'ground',
  'source',
  'kind',
  'records',
  'erased',
  'anonymised',
  'kept',
  'bytes',
  'attempts',
  'decision',
  'channel',
] as const;

/**
 * Requests of data subjects. Their age counts from their end. Anonymised, a case still says what was
 * asked and when it was answered, which has to be kept for 24 months (11 CCR §7101).
 */
export const caseRecords: PersonalDataDeclaration = {
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
    email_hash: 'null',
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
  shown: [
    'reference',
    'request_type',
    'status',
    'first_name',
    'last_name',
    'email',
    'phone',
    'postal_address',
    'representative',
    'identity_proof',
    'additional_info',
    'visitor_id',
    'language',
    'channel',
    'regime',
    'received_at',
    'deadline',
    'extended_at',
    'paused_on',
    'paused_days',
    'verified_at',
    'closed_at',
    'ground',
  ],
  keeps: [{ ground: 'open_request', where: 'ongoing' }],
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
      // Who worked on it, and when, stays until retention takes the log.
      personal: { details: { members: FACTS } },
      impersonal: ['action', 'actor'],
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

/** Who a request was assigned to is about somebody else. */
const shownDetails = ({ action }: { action?: unknown }): readonly string[] =>
  action === 'assigned' ? [] : ['source', 'note', 'reason', 'ground', 'from', 'to', 'channel'];

/**
 * What was done for requests, when and by whom, with the notes about them. It proves how a request was
 * answered (GDPR Art. 5(2)), so an erasure takes what people wrote in it and leaves the rest.
 */
export const requestLog: PersonalDataDeclaration = {
  category: 'dsar_events',
  label: 'Log of data-subject requests',
  table: 'dsar_events',
  due: 'case_closed_at',
  personal: { actor: { user: 'actor_id' }, details: { text: '{}' } },
  impersonal: ['action'],
  shown: ['reference', 'at', 'action', 'actor', 'details'],
  named: { reference: ['case_id', 'dsar_cases.reference'] },
  json: ['details'],
  members: { details: shownDetails },
  actors: ['actor'],
  person: { email: ['case_id', 'dsar_cases.email'] },
  keeps: [{ ground: 'open_request', where: 'ongoing' }, { ground: 'evidence' }],
  policy: {
    name: 'Log of data-subject requests: 24 months after they are closed',
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
export const packageRecords: PersonalDataDeclaration = {
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
