import { mailRecords } from '../../../mail/index.ts';
import { erasePerson, isUnderLegalHold } from '../../../personal-data/index.ts';
import { type Db, requestPurge, type Trx } from '../../../platform/db/index.ts';
import { insertEvent } from '../cases/history/store.ts';
import { caseRecords } from '../cases/retention.ts';
import type { Dsar } from '../context.ts';
import { listTasks } from '../fulfilment/index.ts';
import { hashEmail } from '../intake/intake.ts';
import { type Case, lockCase } from '../store.ts';
import { listErasure, REQUEST } from './erasure-list.ts';
import { erasePersonOfCase, insertErasure, listUnerased } from './store.ts';

/** Who works on a request says nothing about the person. */
const PERSONAL = Object.keys(caseRecords.personal).filter((column) => column !== 'assignee');

/**
 * Ends erasures: once a request for erasure is completed and its last email is sent, the request itself
 * and the emails to the person no longer say who it was. A request that is held, or that an administrator
 * has decided to keep, is left as it is.
 * @returns how many requests were erased
 */
export async function eraseCompletedRequests(dsar: Dsar): Promise<number> {
  let erased = 0;
  for (const dsarCase of await listUnerased(dsar.platform.datastore.db)) {
    if (await finishErasure(dsar, dsarCase)) erased++;
  }
  return erased;
}

async function finishErasure(dsar: Dsar, { id, reference, email }: Case): Promise<boolean> {
  const { datastore } = dsar.platform;
  const leftOut = await listLeftOut(datastore.db, id);
  if (leftOut.has(caseRecords.category)) return false;
  if (await isUnderLegalHold(datastore.db, caseRecords, id)) return false;
  const listed = await listErasure(dsar, { reference, source: REQUEST, email, visitorId: null });
  return datastore.transaction(async (trx) => {
    const current = await lockCase(trx, id);
    if (current?.status !== 'completed' || current.erasedAt !== null) return false;
    await eraseRequest(dsar, trx, current, leftOut);
    await insertErasure(trx, listed);
    return true;
  });
}

/** The sources in which an administrator has decided to erase nothing. */
async function listLeftOut(db: Db, id: number): Promise<Set<string>> {
  const tasks = await listTasks(db, id);
  return new Set(
    tasks
      .filter(({ kind, status }) => kind === 'erase' && status === 'skipped')
      .map(({ source }) => source),
  );
}

/** Removes who a closed request is from, and the emails to that person. */
export async function eraseRequest(
  dsar: Dsar,
  trx: Trx,
  dsarCase: Case,
  leftOut: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { id, email } = dsarCase;
  const at = dsar.platform.clock.now();
  const erasesMails = email !== null && !leftOut.has(mailRecords.category);
  if (erasesMails) {
    await erasePerson(trx, mailRecords, 'email', email, { at, day: dsar.dayOf(at) });
  }
  const emailHash = email === null ? null : hashEmail(dsar.platform.secret, email);
  await erasePersonOfCase(trx, dsarCase, { personal: PERSONAL, emailHash, at });
  await insertEvent(trx, id, { at, actor: 'system', action: 'requester_erased', details: {} });
  await requestPurge(trx);
}
