import { setTimeout as wait } from 'node:timers/promises';
import { findUserByLogin } from '../../identity/users/index.ts';
import { requestPurge } from '../../platform/db/index.ts';
import { hasCapability } from '../../platform/rest/capabilities.ts';
import { invalidParam, notFound } from '../../platform/rest/errors.ts';
import { type CaseUpdate, type Change, readText } from './cases/change.ts';
import { type CaseEvent, insertEvent } from './cases/history/store.ts';
import { updateHold } from './cases/pause.ts';
import { transition } from './cases/transitions.ts';
import type { Dsar } from './context.ts';
import { insertDeletion } from './deletions/store.ts';
import { findPackage, listTasks, removePackageFile, runDueTask } from './fulfilment/index.ts';
import { notify } from './messages/notify.ts';
import { getDeadline, isClosed, isExtensible } from './rules.ts';
import { type Case, deleteCase, findCase, lockCase, updateCase } from './store.ts';

/** How long a completion waits for what is being done for the case at that moment. */
const FINISH_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/**
 * Changes a case: all of what is given, or nothing. The requestor is told of every step.
 * @throws RestError 404; 409 `invalid_transition` for a move that there is not, 409
 * `sources_unresolved` for completing what is not done, 400 `rest_invalid_param`
 */
export async function changeCase(
  dsar: Dsar,
  id: number,
  update: CaseUpdate,
  actor: string,
): Promise<Case> {
  const { datastore, clock } = dsar.platform;
  const { mail: sender, dsar: rules } = await dsar.site.settings();
  if (update.status === 'completed') await finishWhatIsDue(dsar, id);
  return datastore.transaction(async (trx, announce) => {
    const found = await lockCase(trx, id);
    if (!found) throw notFound('The request');
    const autoErase = rules.auto_erase;
    const change = { dsar, trx, announce, sender, autoErase, actor, at: clock.now() };
    let current = found;
    if (update.extend) current = await extend(change, current, update.extend.reason);
    if (update.assignee !== undefined) current = await assign(change, current, update.assignee);
    const to = update.status ?? current.status;
    return to === current.status
      ? updateHold(change, current, update)
      : transition(change, current, to, update);
  });
}

/** Sources mostly answer at once, but in the background: a completion that comes first waits for them. */
async function finishWhatIsDue(dsar: Dsar, id: number): Promise<void> {
  const { datastore, clock } = dsar.platform;
  if ((await findCase(datastore.db, id))?.status !== 'in_progress') return;
  const deadline = Date.now() + FINISH_WITHIN_MS;
  while (Date.now() < deadline) {
    if (await runDueTask(dsar, id)) continue;
    const tasks = await listTasks(datastore.db, id);
    // Another node, or the server beside this command, is at it.
    const isRunning = tasks.some(
      ({ status, dueAt }) => status === 'running' || (status === 'pending' && dueAt <= clock.now()),
    );
    if (!isRunning) return;
    await wait(LOOK_EVERY_MS);
  }
}

async function extend(change: Change, dsarCase: Case, given: string): Promise<Case> {
  const { dsar, trx, announce, sender, actor, at } = change;
  const { receivedOn, regime, pausedDays } = dsarCase;
  const reason = given.trim();
  if (!reason) throw invalidParam('extend', 'Say why: the requestor is told.');
  const isLate = dsarCase.deadline < (dsarCase.pausedOn ?? dsar.dayOf(at));
  if (isClosed(dsarCase.status)) throw invalidParam('extend', 'The request is closed.');
  if (!isExtensible(regime)) throw invalidParam('extend', `Under ${regime} there is no extension.`);
  if (dsarCase.extendedAt !== null) throw invalidParam('extend', 'It was extended already.');
  if (isLate) throw invalidParam('extend', 'The deadline has passed already.');
  const deadline = getDeadline({ receivedOn, regime, pausedDays, extended: true });
  const changed = await updateCase(trx, dsarCase.id, { deadline, extendedAt: at });
  const details = { from: dsarCase.deadline, to: deadline, reason };
  await insertEvent(trx, dsarCase.id, { at, actor, action: 'extended', details });
  await notify(dsar, { trx, announce, sender }, changed, 'extended', (emails, facts) =>
    emails.extended(facts, reason),
  );
  return changed;
}

/** @throws RestError 400 `rest_invalid_param` unless the assignee is a user who may handle requests */
async function assign(
  { trx, actor, at }: Change,
  dsarCase: Case,
  login: string | null,
): Promise<Case> {
  const user = login === null ? undefined : await findUserByLogin(trx, login);
  if (login !== null && !(user && hasCapability(user, 'manage_privacy_requests'))) {
    throw invalidParam(
      'assignee',
      'assignee must be the login of an administrator or editor, or null.',
    );
  }
  const assignee = user?.login ?? null;
  if (assignee === dsarCase.assignee) return dsarCase;
  const details = { from: dsarCase.assignee, to: assignee };
  await insertEvent(trx, dsarCase.id, { at, actor, action: 'assigned', details });
  return updateCase(trx, dsarCase.id, { assignee });
}

/**
 * Adds a note to the events of a case.
 * @throws RestError 404
 */
export async function addNote(
  { platform: { datastore, clock } }: Dsar,
  id: number,
  given: string,
  actor: string,
): Promise<CaseEvent> {
  const note = readText('note', given);
  return datastore.transaction(async (trx) => {
    if (!(await lockCase(trx, id))) throw notFound('The request');
    const at = clock.now();
    return insertEvent(trx, id, { at, actor, action: 'note', details: { note } });
  });
}

/**
 * Deletes a case with all that belongs to it. The deletion log keeps who did it and why.
 * @returns what it was
 * @throws RestError 404; 400 `rest_invalid_param` for a blank reason
 */
export async function deleteRequest(
  dsar: Dsar,
  id: number,
  { actor, reason: given }: { actor: string; reason?: string | undefined },
): Promise<Case> {
  const { datastore, clock } = dsar.platform;
  const reason = given?.trim() ?? null;
  if (reason === '') throw invalidParam('reason', 'Say why the request is deleted.');
  const { dsarCase, stored } = await datastore.transaction(async (trx) => {
    const found = await lockCase(trx, id);
    if (!found) throw notFound('The request');
    const package_ = await findPackage(trx, id);
    await insertDeletion(trx, found, { deletedAt: clock.now(), actor, reason });
    await deleteCase(trx, id);
    await requestPurge(trx);
    return { dsarCase: found, stored: package_ };
  });
  if (stored) await removePackageFile(dsar, stored.fileName);
  return dsarCase;
}
