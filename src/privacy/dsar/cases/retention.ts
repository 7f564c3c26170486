import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';
import { insertDeletionsByRetention } from '../deletions/store.ts';
import { IS_WORK_ON_SOURCES } from './history/store.ts';
import { HELD_PARTS, HELD_REQUEST_OF_EVENT, HELD_REQUEST_OF_PACKAGE } from './legal-holds/store.ts';

/** The details of an event that stay after anonymisation. Everything else may be free text. */
export const FACTS = [
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
  'received_on',
] as const;

/**
 * Their age counts from closing. An anonymised case still shows what was requested and when it was answered, which
 * must be kept for 24 months (11 CCR §7101).
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
    'visitor_claim',
    'language',
    'channel',
    'regime',
    'received_on',
    'deadline',
    'extended_at',
    'paused_on',
    'paused_days',
    'verified_at',
    'closed_at',
    'ground',
  ],
  keeps: [{ ground: 'open_request', where: 'ongoing' }],
  heldWith: HELD_PARTS,
  beforeRemoval: insertDeletionsByRetention,
  given: [
    'request_type',
    'first_name',
    'last_name',
    'email',
    'postal_address',
    'phone',
    'representative',
    'additional_info',
    'visitor_claim',
    'received_on',
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
      // The actors stay until retention anonymises the log.
      personal: { details: { members: FACTS } },
      impersonal: ['action', 'actor'],
    },
  ],
  policy: {
    name: 'Data-subject requests: 24 months after they are closed',
    periodValue: 24,
    periodUnit: 'months',
    action: 'anonymise',
  },
};

/** The assignee is another person. */
const shownDetails = ({ action }: { action?: unknown }): readonly string[] =>
  action === 'assigned'
    ? []
    : ['source', 'note', 'reason', 'ground', 'from', 'to', 'channel', 'received_on'];

/** It proves how requests were answered (GDPR Art. 5(2)), so an erasure removes only free text from it. */
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
  heldWith: HELD_REQUEST_OF_EVENT,
  uncounted: IS_WORK_ON_SOURCES,
  policy: {
    name: 'Log of data-subject requests: 24 months after they are closed',
    periodValue: 24,
    periodUnit: 'months',
    action: 'anonymise',
  },
};

/**
 * Without its `file_name` a package cannot be downloaded, and its file is deleted within the hour. Packages are
 * not a source of their own: erasing a case anonymises them, and they repeat what other sources hold.
 */
export const packageRecords: PersonalDataDeclaration = {
  category: 'dsar_packages',
  label: 'Packages of data-subject requests',
  table: 'dsar_packages',
  due: 'case_closed_at',
  personal: { file_name: 'null' },
  impersonal: ['sha256'],
  heldWith: HELD_REQUEST_OF_PACKAGE,
  // One day more than the lifetime of the download link.
  policy: {
    name: 'Packages: 8 days after the request is closed',
    periodValue: 8,
    periodUnit: 'days',
    action: 'delete',
  },
};
