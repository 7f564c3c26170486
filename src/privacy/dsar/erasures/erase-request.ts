import { mailRecords } from '../../../mail/index.ts';
import { erasePerson, isUnderLegalHold, lockRecords } from '../../../personal-data/index.ts';
import { type Db, requestPurge, type Trx } from '../../../platform/db/index.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { insertEvent } from '../cases/history/store.ts';
import { caseRecords } from '../cases/retention.ts';
import type { Dsar } from '../context.ts';
import { listTasks } from '../fulfilment/index.ts';
import { hashEmail } from '../intake/intake.ts';
import { type Case, lockCase } from '../store.ts';
import { listErasure, REQUEST } from './erasure-list.ts';
import { erasePersonOfCase, insertErasure, listUnerased } from './store.ts';
import { unlistUncommitted } from './unlist-uncommitted.ts';

/** The assignee is not the person that the request is about. */
const PERSONAL = Object.keys(caseRecords.personal).filter((column) => column !== 'assignee');

/**
 * How long an administrator can send an email again that could not be sent, for example because the mail server was down,
 * and post the answer to a request without an email address. Letters state these 30 days.
 */
const SENT_WITHIN_MS = 30 * DAY_MS;

/**
 * Erases the person from deletion requests that are completed and whose last email is sent, or that have no email address
 * and were completed 30 days ago, and from the emails about them. Requests under a legal hold, or that an administrator
 * decided to keep, are not changed.
 * @returns the number of erased requests
 */
export async function eraseCompletedRequests(dsar: Dsar): Promise<number> {
  const { datastore, clock } = dsar.platform;
  let erased = 0;
  for (const dsarCase of await listUnerased(datastore.db, clock.now() - SENT_WITHIN_MS)) {
    if (await finishErasure(dsar, dsarCase)) erased++;
  }
  return erased;
}

async function finishErasure(dsar: Dsar, { id, reference, email }: Case): Promise<boolean> {
  const { datastore } = dsar.platform;
  const refused = await listRefusedSources(datastore.db, id);
  if (refused.has(caseRecords.category)) return false;
  if (await isUnderLegalHold(datastore.db, caseRecords, id)) return false;
  const listed = await listErasure(dsar, { reference, source: REQUEST, email, visitorId: null });
  let isErased = false;
  try {
    isErased = await datastore.transaction(async (trx) => {
      await lockRecords(trx, caseRecords);
      const current = await lockCase(trx, id);
      if (current?.status !== 'completed' || current.erasedAt !== null) return false;
      if (await isUnderLegalHold(trx, caseRecords, id)) return false;
      await eraseRequest(dsar, trx, current, {
        erasesEmails: !refused.has(mailRecords.category),
      });
      await insertErasure(trx, listed);
      return true;
    });
  } finally {
    if (!isErased) await unlistUncommitted(dsar, [listed]);
  }
  return isErased;
}

async function listRefusedSources(db: Db, id: number): Promise<Set<string>> {
  const tasks = await listTasks(db, id);
  return new Set(
    tasks
      .filter(({ kind, status }) => kind === 'erase' && status === 'skipped')
      .map(({ source }) => source),
  );
}

/**
 * Erases the person from a closed request.
 * @param erasesEmails whether the emails to the person are erased as well: false if an administrator refused that
 */
export async function eraseRequest(
  dsar: Dsar,
  trx: Trx,
  dsarCase: Case,
  { erasesEmails }: { erasesEmails: boolean },
): Promise<void> {
  const { id, email } = dsarCase;
  const at = dsar.platform.clock.now();
  if (email !== null && erasesEmails) {
    await erasePerson(trx, mailRecords, 'email', email, { at, day: dsar.formatDay(at) });
  }
  const emailHash = email === null ? null : hashEmail(dsar.platform.secret, email);
  await erasePersonOfCase(trx, dsarCase, { personal: PERSONAL, emailHash, at });
  await insertEvent(trx, id, { at, actor: 'system', action: 'requester_erased' });
  await requestPurge(trx);
}
