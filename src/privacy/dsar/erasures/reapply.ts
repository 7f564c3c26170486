import { abandonMails, mailRecords } from '../../../mail/index.ts';
import {
  type Identity,
  isUnderLegalHold,
  type PersonalDataDeclaration,
} from '../../../personal-data/index.ts';
import { requestPurge } from '../../../platform/db/index.ts';
import { announceStatus } from '../cases/change.ts';
import { insertEvent } from '../cases/history/store.ts';
import { caseRecords } from '../cases/retention.ts';
import type { Dsar } from '../context.ts';
import { listSources, type Source } from '../fulfilment/sources.ts';
import { isClosed } from '../rules.ts';
import { findCaseByReference, lockCase, updateCase } from '../store.ts';
import { eraseRequest } from './erase-request.ts';
import { hashErased, type ListedErasure, REQUEST, readErasures } from './erasure-list.ts';
import { hasUnfinishedErasure, insertErasure, listErasureIds, listValues } from './store.ts';

const VALUES_AT_ONCE = 5_000;

export interface Reapplied {
  /** Number of listed erasures that the database did not have. */
  erasures: number;
  /** Number of records that were erased or anonymised. */
  records: number;
  /** Number of requests that were completed and erased again. */
  requests: number;
}

/** Addresses and visitor ids by their hashes in the list. */
type Identities = Map<string, string>;

/** Repeats listed erasures that the database does not have because it was restored from an earlier backup. */
export async function reapplyErasures(dsar: Dsar): Promise<Reapplied> {
  const { datastore, log } = dsar.platform;
  const known = await listErasureIds(datastore.db);
  const all = await readErasures(dsar);
  const missing = listMissing(all, known);
  const result: Reapplied = { erasures: missing.length, records: 0, requests: 0 };
  if (missing.length === 0) return result;
  const wanted = new Set(
    missing.flatMap(({ email, visitor_id }) => [email ?? [], visitor_id ?? []].flat()),
  );
  const identities = await findIdentities(dsar, wanted);
  const sources = new Map(listSources(dsar).map((source) => [source.id, source]));
  for (const listed of missing) {
    if (listed.source === REQUEST) result.requests += await reapplyToRequest(dsar, listed, all);
    else
      result.records += await reapplyInSource(dsar, listed, sources.get(listed.source), identities);
  }
  log.warn(result, 'erasures were applied again to a database that did not have them');
  return result;
}

/**
 * Those that the database does not have, without those that were done again since: it is not an earlier backup, but their
 * commit has failed, see `unlistUncommitted`. Who came back after the later erasure is not erased.
 */
function listMissing(
  all: readonly ListedErasure[],
  known: ReadonlySet<string>,
): readonly ListedErasure[] {
  const doneLater = new Set<string>();
  const missing: ListedErasure[] = [];
  for (const listed of all.toReversed()) {
    const { id, reference, source, email, visitor_id } = listed;
    const key = JSON.stringify([reference, source, email, visitor_id]);
    if (known.has(id)) doneLater.add(key);
    else if (!doneLater.has(key)) missing.push(listed);
  }
  return missing.reverse();
}

async function reapplyInSource(
  { platform: { datastore, clock } }: Dsar,
  listed: ListedErasure,
  source: Source | undefined,
  identities: Identities,
): Promise<number> {
  const find = (hash: string | null) => (hash === null ? undefined : identities.get(hash));
  const [email, visitorId] = [find(listed.email), find(listed.visitor_id)];
  return datastore.transaction(async (trx) => {
    await insertErasure(trx, listed);
    // A node stopped during the erasure: its task repeats it and reports the number of records.
    if (await hasUnfinishedErasure(trx, listed)) return 0;
    if (email === undefined && visitorId === undefined) return 0;
    // No record has the empty address.
    const subject = { email: email ?? '', visitorIds: visitorId === undefined ? [] : [visitorId] };
    // Mails that the backup still had to send: they were sent or given up before the erasure.
    if (listed.source === mailRecords.category && email !== undefined)
      await abandonMails(trx, email, clock.now());
    const outcome = await source?.eraseWithin?.(trx, subject);
    await requestPurge(trx);
    return outcome ? outcome.erased + outcome.anonymised : 0;
  });
}

/** Completes and erases a request again that the backup has open or not erased. */
async function reapplyToRequest(
  dsar: Dsar,
  listed: ListedErasure,
  all: readonly ListedErasure[],
): Promise<number> {
  const { datastore, clock } = dsar.platform;
  return datastore.transaction(async (trx, announce) => {
    await insertErasure(trx, listed);
    const found = await findCaseByReference(trx, listed.reference);
    const dsarCase = found && (await lockCase(trx, found.id));
    if (!dsarCase || dsarCase.erasedAt !== null || dsarCase.anonymisedAt !== null) return 0;
    const { id, status: from } = dsarCase;
    if (!isClosed(from)) {
      const closedAt = Date.parse(listed.at);
      const changes = { status: 'completed', pausedOn: null, ground: null, closedAt } as const;
      const changed = await updateCase(trx, id, changes);
      const details = {
        from,
        to: 'completed',
        reason: 'Completed before the backup was restored.',
      };
      const event = { at: clock.now(), actor: 'system', action: 'status_changed', details };
      await insertEvent(trx, id, event);
      await announceStatus({ trx, announce, at: event.at }, dsarCase, changed);
    }
    // Once the hold is released, it is erased like any completed request.
    if (await isUnderLegalHold(trx, caseRecords, id)) return 0;
    // The backup may be from before their erasure was refused, but a refused one is not in the list.
    const erasesEmails = all.some(
      ({ reference, source }) => reference === listed.reference && source === mailRecords.category,
    );
    if (erasesEmails && dsarCase.email !== null)
      await abandonMails(trx, dsarCase.email, clock.now());
    await eraseRequest(dsar, trx, dsarCase, { erasesEmails });
    return 1;
  });
}

/** Hashes every value in the columns that identify people. */
async function findIdentities(dsar: Dsar, wanted: ReadonlySet<string>): Promise<Identities> {
  const { db } = dsar.platform.datastore;
  const identities: Identities = new Map();
  for (const { identity, ...where } of listIdentityColumns(dsar.site.personalData)) {
    for (let after = 0; ; ) {
      const values = await listValues(db, where, { after, limit: VALUES_AT_ONCE });
      for (const { value } of values) {
        if (value === null) continue;
        const hash = hashErased(dsar, identity, value);
        if (wanted.has(hash)) identities.set(hash, value);
      }
      const last = values.at(-1);
      if (!last) break;
      after = Number(last.id);
    }
  }
  return identities;
}

function listIdentityColumns(types: readonly PersonalDataDeclaration[]) {
  const columns = new Map<string, { identity: Identity; table: string; column: string }>();
  for (const { table: own, person = {} } of types) {
    for (const [identity, path] of Object.entries(person) as [Identity, readonly string[]][]) {
      const [column = '', table = own] = (path.at(-1) ?? '').split('.').reverse();
      columns.set(`${identity} ${table}.${column}`, { identity, table, column });
    }
  }
  return columns.values();
}
