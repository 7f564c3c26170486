import type { Announce, Trx } from '../../platform/db/index.ts';
import { invalidParam, notFound, RestError } from '../../platform/rest/errors.ts';
import {
  findPackage,
  listTasks,
  openTasks,
  planTasks,
  readPackage,
  removePackageFile,
  runDueTask,
  type StoredPackage,
  skipOpenTasks,
} from './fulfilment/index.ts';
import { linkIsOver } from './intake.ts';
import type { Completion } from './mails/index.ts';
import { hashOf, mailedLink, notify, type Sender } from './notify.ts';
import {
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
  type CaseEvent,
  deleteCase,
  findCase,
  insertEvent,
  lockCase,
  updateCase,
  useToken,
} from './store.ts';

/** How long a completion waits for what is being done for the case at that moment. */
const FINISH_WITHIN_MS = 5_000;

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
  const deadline = Date.now() + FINISH_WITHIN_MS;
  while (Date.now() < deadline && (await runDueTask(dsar, id))) {}
}

async function extend(change: Change, dsarCase: Case, reason: string): Promise<Case> {
  const { dsar, trx, announce, sender, actor, at } = change;
  const { receivedOn, regime, pausedDays } = dsarCase;
  const isLate = dsar.dayOf(at) > (dsarCase.pausedOn ?? dsarCase.deadline);
  if (isClosed(dsarCase.status)) throw invalidParam('extend', 'The request is closed.');
  if (!isExtensible(regime)) throw invalidParam('extend', `Under ${regime} there is no extension.`);
  if (dsarCase.extendedAt !== null) throw invalidParam('extend', 'It was extended already.');
  if (isLate && dsarCase.pausedOn === null)
    throw invalidParam('extend', 'The deadline has passed already.');
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
  { reason, ground }: CaseUpdate,
): Promise<Case> {
  const { dsar, trx, actor, at } = change;
  const { status: from, id } = dsarCase;
  const moves = movesFrom(from);
  if (!moves.includes(to)) {
    const message = `A request that is ${from} cannot become ${to}: it can become ${moves.join(', ')}.`;
    throw new RestError(409, 'invalid_transition', message);
  }
  if (needsReason(from, to) && !reason) {
    throw invalidParam('reason', `Say why the request is to be ${to}.`);
  }
  if (isClosed(from) && dsarCase.email === null) {
    const message = 'The request is anonymised: nothing can be done for it any more.';
    throw new RestError(409, 'invalid_transition', message);
  }
  if (to === 'completed') await assertDone(change, id, reason);
  const changes: CaseChanges = {
    status: to,
    ...clockChanges(dsarCase, to, ground, dsar.dayOf(at)),
    ...(ground !== undefined && { ground }),
    closedAt: isClosed(to) ? at : null,
  };
  const changed = await updateCase(trx, id, changes);
  const details = { from, to, ...(ground && { ground }), ...(reason && { reason }) };
  await insertEvent(trx, id, { at, actor, action: 'status_changed', details });
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
    case 'on_hold':
      return notify(dsar, by, dsarCase, 'paused', (w, facts) => w.paused(facts, reason));
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
  const report = erasures.map(({ label, outcome: { erased, anonymised, kept } }) => ({
    label,
    erased,
    anonymised,
    kept: kept.reduce((sum, { count }) => sum + count, 0),
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

export interface OpenedPackage extends StoredPackage {
  reference: string;
  content: Buffer;
}

/**
 * The package of a case, for an administrator.
 * @throws RestError 404 while there is none
 */
export async function openPackage(dsar: Dsar, id: number, actor: string): Promise<OpenedPackage> {
  const { datastore, clock } = dsar.platform;
  const opened = await openedPackage(dsar, id);
  if (!opened) throw notFound('A package of this request');
  await datastore.transaction((trx) =>
    insertEvent(trx, id, { at: clock.now(), actor, action: 'package_opened', details: {} }),
  );
  return opened;
}

/**
 * The package of a case by the link that was mailed for it, once.
 * @throws RestError 404 for a link that is none, was used, or is too old
 */
export async function downloadPackage(dsar: Dsar, token: string): Promise<OpenedPackage> {
  const { datastore, clock, secret } = dsar.platform;
  const hash = hashOf(secret, 'download', token);
  const caseId = await datastore.transaction(async (trx) => {
    const at = clock.now();
    const found = await useToken(trx, { purpose: 'download', hash }, at);
    if (found === undefined) throw linkIsOver();
    const event = { at, actor: 'requestor', action: 'package_downloaded', details: {} };
    await insertEvent(trx, found, event);
    return found;
  });
  const opened = await openedPackage(dsar, caseId);
  if (!opened) throw linkIsOver();
  return opened;
}

async function openedPackage(dsar: Dsar, id: number): Promise<OpenedPackage | undefined> {
  const { db } = dsar.platform.datastore;
  const [dsarCase, stored] = [await findCase(db, id), await findPackage(db, id)];
  const content = stored && (await readPackage(dsar, stored));
  return dsarCase && content ? { ...stored, reference: dsarCase.reference, content } : undefined;
}
