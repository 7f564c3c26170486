import { setTimeout as wait } from 'node:timers/promises';
import type { Announce, Trx } from '../../platform/db/index.ts';
import { invalidParam, notFound, RestError } from '../../platform/rest/errors.ts';
import {
  collectAnew,
  datePackage,
  deletePages,
  findPackage,
  listTasks,
  openTasks,
  planTasks,
  removePackageFile,
  runDueTask,
  skipOpenTasks,
} from './fulfilment/index.ts';
import { type CaseEvent, insertEvent } from './history/store.ts';
import type { Completion } from './mails/index.ts';
import { mailedLink, notify, type Sender } from './notify.ts';
import {
  asksRequestor,
  type CaseStatus,
  daysBetween,
  deadlineOf,
  type Ground,
  isClosed,
  isExtensible,
  movesFrom,
  needsReason,
  stopsClock,
} from './rules.ts';
import type { Dsar } from './site.ts';
import {
  type Case,
  type CaseChanges,
  deleteCase,
  findCase,
  lockCase,
  updateCase,
} from './store.ts';

/** How long a completion waits for what is being done for the case at that moment. */
const FINISH_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

export interface CaseUpdate {
  status?: CaseStatus | undefined;
  /** Told to the requestor where the case is refused or put on hold. */
  reason?: string | undefined;
  ground?: Ground | undefined;
  /** A login; null takes it away. */
  assignee?: string | null | undefined;
  extend?: { reason: string } | undefined;
}

interface Change {
  dsar: Dsar;
  trx: Trx;
  announce: Announce;
  sender: Sender;
  actor: string;
  at: number;
}

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
  const { mail: sender } = await dsar.site.settings();
  if (update.status === 'completed') await finishWhatIsDue(dsar, id);
  return datastore.transaction(async (trx, announce) => {
    const found = await lockCase(trx, id);
    if (!found) throw notFound('The request');
    const change = { dsar, trx, announce, sender, actor, at: clock.now() };
    let current = found;
    if (update.extend) current = await extend(change, current, update.extend.reason);
    if (update.assignee !== undefined) current = await assign(change, current, update.assignee);
    if (update.status !== undefined && update.status !== current.status) {
      current = await move(change, current, update.status, update);
    }
    return current;
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

async function extend(change: Change, dsarCase: Case, reason: string): Promise<Case> {
  const { dsar, trx, announce, sender, actor, at } = change;
  const { receivedOn, regime, pausedDays } = dsarCase;
  const isLate = dsarCase.deadline < (dsarCase.pausedOn ?? dsar.dayOf(at));
  if (isClosed(dsarCase.status)) throw invalidParam('extend', 'The request is closed.');
  if (!isExtensible(regime)) throw invalidParam('extend', `Under ${regime} there is no extension.`);
  if (dsarCase.extendedAt !== null) throw invalidParam('extend', 'It was extended already.');
  if (isLate) throw invalidParam('extend', 'The deadline has passed already.');
  const deadline = deadlineOf({ receivedOn, regime, pausedDays, extended: true });
  const changed = await updateCase(trx, dsarCase.id, { deadline, extendedAt: at });
  const details = { from: dsarCase.deadline, to: deadline, reason };
  await insertEvent(trx, dsarCase.id, { at, actor, action: 'extended', details });
  await notify(dsar, { trx, announce, sender }, changed, 'extended', (words, facts) =>
    words.extended(facts, reason),
  );
  return changed;
}

async function assign(
  { trx, actor, at }: Change,
  dsarCase: Case,
  assignee: string | null,
): Promise<Case> {
  if (assignee === dsarCase.assignee) return dsarCase;
  const details = { from: dsarCase.assignee, to: assignee };
  await insertEvent(trx, dsarCase.id, { at, actor, action: 'assigned', details });
  return updateCase(trx, dsarCase.id, { assignee });
}

async function move(
  change: Change,
  dsarCase: Case,
  to: CaseStatus,
  { reason: given, ground }: CaseUpdate,
): Promise<Case> {
  const reason = given?.trim();
  const { dsar, trx, actor, at } = change;
  const { status: from, id } = dsarCase;
  const moves = movesFrom(from);
  if (!moves.includes(to)) {
    const message = `A request that is ${from} cannot become ${to}: it can become ${moves.join(', ')}.`;
    throw new RestError(409, 'invalid_transition', message);
  }
  if (needsReason(from, to) && !reason) {
    const what = isClosed(from) ? 'opened again' : 'refused: the requestor is told';
    throw invalidParam('reason', `Say why the request is ${what}.`);
  }
  if (isClosed(from) && dsarCase.email === null) {
    const message = 'The request is anonymised: nothing can be done for it any more.';
    throw new RestError(409, 'invalid_transition', message);
  }
  if (to === 'completed') await assertDone(change, id, reason);
  const changes: CaseChanges = {
    status: to,
    ...clockChanges(dsarCase, to, ground, dsar.dayOf(at)),
    // That of this hold or refusal; the one of an earlier hold is in the events.
    ground: to === 'on_hold' || to === 'rejected' ? (ground ?? null) : null,
    closedAt: isClosed(to) ? at : null,
  };
  const changed = await updateCase(trx, id, changes);
  const details = { from, to, ...(ground && { ground }), ...(reason && { reason }) };
  await insertEvent(trx, id, { at, actor, action: 'status_changed', details });
  await datePackage(trx, changed);
  if (isClosed(to)) await deletePages(trx, id);
  // What was collected then is gone, or old by now.
  if (isClosed(from)) await collectAnew(trx, id, at);
  if (to === 'in_progress') await planTasks(dsar, trx, change.announce, changed);
  await tell(change, changed, from, reason ?? '');
  return changed;
}

/** Stops the clock of a deadline, or lets it go on by as many days later. */
function clockChanges(
  dsarCase: Case,
  to: CaseStatus,
  ground: Ground | undefined,
  today: string,
): CaseChanges {
  const { regime, receivedOn, pausedOn } = dsarCase;
  if (to === 'on_hold') return stopsClock(regime, ground ?? null) ? { pausedOn: today } : {};
  if (pausedOn === null) return {};
  const pausedDays = dsarCase.pausedDays + daysBetween(pausedOn, today);
  const extended = dsarCase.extendedAt !== null;
  return {
    pausedOn: null,
    pausedDays,
    deadline: deadlineOf({ receivedOn, regime, extended, pausedDays }),
  };
}

/** @throws RestError 409 `sources_unresolved` without a reason for leaving them so */
async function assertDone(
  { trx, actor, at }: Change,
  caseId: number,
  reason: string | undefined,
): Promise<void> {
  const open = openTasks(await listTasks(trx, caseId));
  if (open.length === 0) return;
  if (!reason) {
    const names = open.map(({ label, status }) => `${label} (${status})`).join(', ');
    const message = `Not done yet: ${names}. Wait, settle each at /dsar/tasks/{id}, or give a reason for leaving them so.`;
    throw new RestError(409, 'sources_unresolved', message);
  }
  await skipOpenTasks(trx, caseId, { reason, actor, at });
}

async function tell(
  { dsar, trx, announce, sender }: Change,
  dsarCase: Case,
  from: CaseStatus,
  reason: string,
): Promise<void> {
  const by = { trx, announce, sender };
  switch (dsarCase.status) {
    case 'in_progress':
      return notify(dsar, by, dsarCase, from === 'on_hold' ? 'resumed' : 'started', (w, facts) =>
        w.started(facts),
      );
    case 'on_hold': {
      const asksThem = reason !== '' && asksRequestor(dsarCase.ground);
      return notify(dsar, by, dsarCase, 'paused', (w, facts) =>
        asksThem ? w.asked(facts, reason) : w.paused(facts, reason),
      );
    }
    case 'rejected':
      return notify(dsar, by, dsarCase, 'rejected', (w, facts) => w.rejected(facts, reason));
    case 'withdrawn':
      return notify(dsar, by, dsarCase, 'withdrawn', (w, facts) => w.withdrawn(facts));
    case 'completed': {
      const result = await completionOf(dsar, trx, dsarCase);
      return notify(dsar, by, dsarCase, 'completed', (w, facts) => w.completed(facts, result));
    }
  }
}

async function completionOf(dsar: Dsar, trx: Trx, { id }: Case): Promise<Completion> {
  const erasures = (await listTasks(trx, id)).filter(({ kind }) => kind === 'erase');
  const report = erasures.map(({ label, status, outcome }) => ({
    label,
    isLeftOut: status === 'skipped',
    ...outcome,
  }));
  if (!(await findPackage(trx, id))) return { report };
  return { report, downloadUrl: await mailedLink(dsar, trx, id, 'download') };
}

/**
 * Adds a note to the events of a case.
 * @throws RestError 404
 */
export async function addNote(
  { platform: { datastore, clock } }: Dsar,
  id: number,
  note: string,
  actor: string,
): Promise<CaseEvent> {
  return datastore.transaction(async (trx) => {
    if (!(await lockCase(trx, id))) throw notFound('The request');
    const at = clock.now();
    return insertEvent(trx, id, { at, actor, action: 'note', details: { note } });
  });
}

/**
 * Deletes a case with all that belongs to it.
 * @returns what it was
 * @throws RestError 404
 */
export async function removeCase(dsar: Dsar, id: number): Promise<Case> {
  const { datastore } = dsar.platform;
  const { dsarCase, stored } = await datastore.transaction(async (trx) => {
    const found = await lockCase(trx, id);
    if (!found) throw notFound('The request');
    const package_ = await findPackage(trx, id);
    await deleteCase(trx, id);
    return { dsarCase: found, stored: package_ };
  });
  if (stored) await removePackageFile(dsar, stored.fileName);
  return dsarCase;
}
