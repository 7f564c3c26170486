import { setTimeout as wait } from 'node:timers/promises';
import { findUserByLogin } from '../../identity/users/index.ts';
import { isUnderLegalHold, lockRecords } from '../../personal-data/index.ts';
import { requestPurge } from '../../platform/db/index.ts';
import { DomainError, InvalidFieldError } from '../../platform/errors.ts';
import { hasCapability } from '../../platform/rest/capabilities.ts';
import { queueUpdated } from './cases/case-webhooks.ts';
import { assertNotAnonymised, type CaseUpdate, type Change, readText } from './cases/change.ts';
import { type CaseEvent, insertEvent } from './cases/history/store.ts';
import { updateHold } from './cases/pause.ts';
import { caseRecords } from './cases/retention.ts';
import { transition } from './cases/transitions.ts';
import { changeCases, type Dsar, type Letter } from './context.ts';
import { insertDeletion } from './deletions/store.ts';
import { findPackage, listTasks, removePackageFile, runDueTask } from './fulfilment/index.ts';
import { expireAllEmails, notify } from './messages/notify.ts';
import { getDeadline, isClosed, isExtensible, isOverdue } from './rules.ts';
import { type Case, deleteCase, findCase, getLockedCase, updateCase } from './store.ts';

/** How long a completion waits for running tasks of the case. */
const TASKS_TIMEOUT_MS = 5_000;
const POLL_MS = 50;

/**
 * Applies all changes of an update, or none. The requester gets an email about each.
 * @returns the case, and the letters for a requester without an email address
 * @throws NotFoundError; InvalidFieldError; DomainError 409 `invalid_transition`, 409 `sources_unresolved`
 */
export async function changeCase(
  dsar: Dsar,
  id: number,
  update: CaseUpdate,
  actor: string,
): Promise<{ dsarCase: Case; letters: readonly Letter[] }> {
  if (update.status === 'completed') await runDueTasks(dsar, id);
  return changeCases(dsar, async (context) => {
    const change = { ...context, actor };
    let current = await getLockedCase(change.trx, id);
    if (update.extend) current = await extend(change, current, update.extend.reason);
    if (update.assignee !== undefined) current = await assign(change, current, update.assignee);
    const to = update.status ?? current.status;
    const dsarCase =
      to === current.status
        ? await updateHold(change, current, update)
        : await transition(change, current, to, update);
    return { dsarCase, letters: change.letters };
  });
}

/** Most tasks take moments, but run in the background: a completion that comes before them waits. */
async function runDueTasks(dsar: Dsar, id: number): Promise<void> {
  const { datastore, clock } = dsar.platform;
  if ((await findCase(datastore.db, id))?.status !== 'in_progress') return;
  const deadline = clock.monotonic() + TASKS_TIMEOUT_MS;
  while (clock.monotonic() < deadline) {
    if (await runDueTask(dsar, id)) continue;
    const tasks = await listTasks(datastore.db, id);
    const pending = tasks.filter(({ status }) => status === 'pending');
    // One that is tried again later can hold up others.
    const isNext = pending.length > 0 && pending.every(({ dueAt }) => dueAt <= clock.now());
    // Another node may be running it, or the server if this is the command line.
    if (!isNext && !tasks.some(({ status }) => status === 'running')) return;
    await wait(POLL_MS);
  }
}

async function extend(change: Change, dsarCase: Case, given: string): Promise<Case> {
  const { dsar, trx, actor, at } = change;
  const { id, deadline: from } = dsarCase;
  const reason = given.trim();
  const problem = findExtensionProblem(dsarCase, reason, dsarCase.pausedOn ?? dsar.formatDay(at));
  if (problem) throw new InvalidFieldError('extend', problem);
  const deadline = getDeadline({ ...dsarCase, extended: true });
  const changed = await updateCase(trx, id, { deadline, extendedAt: at });
  const details = { from, to: deadline, reason };
  await insertEvent(trx, id, { at, actor, action: 'extended', details });
  await queueUpdated(change, dsarCase, changed);
  await notify(change, changed, 'extended', (emails) => emails.extended(reason));
  return changed;
}

function findExtensionProblem(
  { status, requestType, regime, extendedAt, deadline }: Case,
  reason: string,
  today: string,
): string | undefined {
  if (!reason) return 'A reason is required, for the email to the requester.';
  if (isClosed(status)) return 'The request is closed.';
  if (!isExtensible(requestType, regime))
    return `The deadline of this request cannot be extended under ${regime}.`;
  if (extendedAt !== null) return 'The deadline has already been extended.';
  return isOverdue({ deadline, today }) ? 'The deadline has already passed.' : undefined;
}

/**
 * @throws InvalidFieldError unless the login is of a user who may handle requests; DomainError 409 `invalid_transition` for an
 * anonymised request
 */
async function assign(
  { trx, actor, at }: Change,
  dsarCase: Case,
  login: string | null,
): Promise<Case> {
  const user = login === null ? undefined : await findUserByLogin(trx, login);
  if (login !== null && !(user && hasCapability(user, 'manage_privacy_requests'))) {
    const message = 'assignee must be the login of an administrator or editor, or null.';
    throw new InvalidFieldError('assignee', message);
  }
  const assignee = user?.login ?? null;
  if (assignee === dsarCase.assignee) return dsarCase;
  assertNotAnonymised(dsarCase);
  const details = { from: dsarCase.assignee, to: assignee };
  await insertEvent(trx, dsarCase.id, { at, actor, action: 'assigned', details });
  return updateCase(trx, dsarCase.id, { assignee });
}

/** @throws NotFoundError; InvalidFieldError; DomainError 409 `invalid_transition` for an anonymised request */
export async function addNote(
  { platform: { datastore, clock } }: Dsar,
  id: number,
  given: string,
  actor: string,
): Promise<CaseEvent> {
  const note = readText('note', given);
  return datastore.transaction(async (trx) => {
    assertNotAnonymised(await getLockedCase(trx, id));
    return insertEvent(trx, id, { at: clock.now(), actor, action: 'note', details: { note } });
  });
}

/**
 * Deletes a case with everything that belongs to it, and gives up its unsent emails. The deletion log keeps the actor and the reason.
 * @returns the deleted case
 * @throws NotFoundError; InvalidFieldError for a blank reason; DomainError 403 `delete_failed` under a legal hold
 */
export async function deleteRequest(
  dsar: Dsar,
  id: number,
  { actor, reason: given }: { actor: string; reason?: string | undefined },
): Promise<Case> {
  const { datastore, clock } = dsar.platform;
  const reason = given?.trim() ?? null;
  if (reason === '') throw new InvalidFieldError('reason', 'reason must not be blank.');
  const { dsarCase, stored } = await datastore.transaction(async (trx) => {
    await lockRecords(trx, caseRecords);
    const found = await getLockedCase(trx, id);
    if (await isUnderLegalHold(trx, caseRecords, id)) {
      const message = 'The request is under a legal hold. Release the hold first.';
      throw new DomainError('forbidden', 'delete_failed', message);
    }
    const { reference, requestType, status, receivedAt, receivedOn, closedAt } = found;
    const kept = { reference, requestType, status, receivedAt, receivedOn, closedAt };
    const at = clock.now();
    await insertDeletion(trx, { ...kept, deletedAt: at, actor, reason });
    const package_ = await findPackage(trx, id);
    await expireAllEmails({ trx, at }, id);
    await deleteCase(trx, id);
    await requestPurge(trx);
    return { dsarCase: found, stored: package_ };
  });
  if (stored) await removePackageFile(dsar, stored.fileName);
  return dsarCase;
}
