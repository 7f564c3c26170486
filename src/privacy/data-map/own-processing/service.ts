import { toIsoMoment } from '../../../platform/clock.ts';
import { type Db, hasFact, insertFact, type Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { addBuiltinVendor } from '../../vendors/index.ts';
import { SELF_SLUG } from '../rules.ts';
import { addEntry, changeDataMap, type DataMapScope } from '../service.ts';
import { type Entry, findEntry } from '../store.ts';

/** The vendor that stands for this installation. */
export const SELF = {
  slug: SELF_SLUG,
  name: 'Pavis (this site)',
  purpose: 'Keeps consent, answers data-subject requests and licenses software for this site.',
  category: 'functional',
  dataCategories: ['consent_choices', 'contact_details', 'licence_data'],
  defaultRetention: '',
  domains: [],
  cookies: [],
};

const FROM_PERSON = 'The person, and their use of this site';
const BY_POLICY = 'As the retention policies state';

/** The processing by Pavis itself. Each set is added once; releases that add processing add a set. */
const SETS = [
  {
    name: 'data_map_own_processing_1',
    entries: [
      {
        purpose: 'Records of consent, to demonstrate what was chosen and when.',
        legal_basis: 'legal_obligation',
        data_categories: ['visitor_identifier', 'consent_choices', 'pages_visited'],
        retention_period: BY_POLICY,
        data_subjects: 'Visitors of the site',
        data_source: FROM_PERSON,
        recipients: 'Administrators of this installation',
      },
      {
        purpose: 'Data-subject requests: receiving, verifying and answering them.',
        legal_basis: 'legal_obligation',
        data_categories: ['names', 'contact_details', 'request_content'],
        retention_period: BY_POLICY,
        data_subjects: 'People who make a request',
        data_source: FROM_PERSON,
        recipients: 'Administrators and editors of this installation',
      },
      {
        purpose: 'Licence customers: issuing licences and checking where they are used.',
        legal_basis: 'contract',
        data_categories: ['names', 'contact_details', 'licence_data', 'site_addresses'],
        retention_period:
          'As long as the person has a licence, then as the retention policies state',
        data_subjects: 'Customers',
        data_source: 'The person, the sites that use their licence, and the payment service',
        recipients:
          'Administrators of this installation\nPayment service, if licences are sold through it',
        automated_decisions:
          'A licence follows its payments: it is extended, suspended or revoked when the payment service reports a payment, a dispute or a refund. There is no profiling.',
      },
    ],
  },
  {
    name: 'data_map_own_processing_2',
    entries: [
      {
        purpose: 'Console users: accounts and sign-in of the people who use the Pavis console.',
        legal_basis: 'legitimate_interests',
        data_categories: ['login_names', 'contact_details', 'roles', 'sign_in_times'],
        retention_period: 'Until an administrator deletes the account',
        data_subjects: 'People with an account for the console',
        data_source: 'The administrator who creates the account, and its use',
        recipients: 'Administrators of this installation',
        security_measures:
          'Passwords are stored as argon2id hashes, tokens and application passwords as keyed hashes. Roles limit access, and sessions expire.',
      },
      {
        purpose:
          'Logs: who changed what in the console and on licences, and server errors, to find faults and misuse.',
        legal_basis: 'legitimate_interests',
        data_categories: ['login_names', 'actions', 'timestamps', 'technical_data'],
        retention_period:
          'Activity logs: as the retention policies state. Server log: as long as the host keeps it',
        data_subjects: 'People with an account for the console; customers whose licence changes',
        data_source: 'The use of the console, of licences and of this site',
        recipients:
          'Administrators of this installation\nHosting provider that stores the server log',
        security_measures:
          'The server log contains no keys, tokens, passwords or query strings, and email addresses are masked. Only administrators can read the activity logs.',
      },
      {
        purpose:
          'Mail: sending messages about requests, licences, sign-in and administration, and proof that they were sent.',
        legal_basis: 'legitimate_interests',
        data_categories: ['contact_details', 'message_content', 'delivery_status'],
        retention_period:
          'Text: until the message is sent; without a mail server, in a file for as long as recipient and time. Recipient and time: as the retention policy for sent mail states',
        data_subjects: 'People who make a request, customers, people with an account',
        data_source: FROM_PERSON,
        recipients: 'Mail server of this site\nMail providers of the recipients',
        security_measures:
          'The text is deleted from the database once the message is sent. Licence keys in a message are encrypted until then.',
      },
    ],
  },
  {
    name: 'data_map_own_processing_3',
    entries: [
      {
        purpose:
          'Security log: sign-ins, failed attempts, changes of accounts and exports, to detect and prove attacks and misuse.',
        legal_basis: 'legitimate_interests',
        data_categories: ['login_names', 'ip_address', 'technical_data', 'actions', 'timestamps'],
        retention_period:
          'IP address, browser and names: 30 days, unless the retention policies state otherwise',
        data_subjects: 'People with an account for the console; people who try to sign in',
        data_source: 'The use of the console and of its interfaces',
        recipients: 'Administrators of this installation',
        security_measures:
          'Login names that do not exist are not stored. IPv6 addresses are shortened to their /64. Only administrators can read the log.',
      },
    ],
  },
] as const;

type OwnSet = (typeof SETS)[number];

/**
 * Adds the processing by Pavis itself to the data map of a new installation. To an existing one, `addMissingProcessing`
 * adds new sets when an administrator requests it.
 */
export async function seedOwnProcessing({
  datastore,
  clock,
}: Pick<Platform, 'datastore' | 'clock'>): Promise<void> {
  if (await hasFact(datastore.db, SETS[0].name)) return;
  await datastore.transaction(async (trx) => {
    if (await hasFact(trx, SETS[0].name)) return;
    for (const set of SETS) await addSet(trx, set, clock.now());
  });
}

/** Counts the entries that were never added. Deleted entries do not count. */
export async function countMissingProcessing(db: Db): Promise<number> {
  let missing = 0;
  for (const { name, entries } of SETS) {
    if (!(await hasFact(db, name))) missing += entries.length;
  }
  return missing;
}

/** Adds the entries that were never added, and returns them. */
export async function addMissingProcessing(scope: DataMapScope): Promise<Entry[]> {
  return changeDataMap(scope, async (trx, publish) => {
    const added: Entry[] = [];
    for (const set of SETS) added.push(...(await addSet(trx, set, scope.platform.clock.now())));
    for (const { id } of added) publish(id, 'created');
    return added;
  });
}

async function addSet(trx: Trx, { name, entries }: OwnSet, now: number): Promise<Entry[]> {
  if (!(await insertFact(trx, name, toIsoMoment(now)))) return [];
  const vendor_id = await addBuiltinVendor(trx, SELF, now);
  const added: Entry[] = [];
  for (const entry of entries) {
    const data_categories = [...entry.data_categories];
    const fields = { automated_decisions: 'None', ...entry, data_categories, vendor_id };
    const id = await addEntry(trx, fields, now);
    added.push((await findEntry(trx, id)) as Entry);
  }
  return added;
}
