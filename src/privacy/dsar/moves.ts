import type { Announce, Trx } from '../../platform/db/index.ts';
import { invalidParam, RestError } from '../../platform/rest/errors.ts';
import {
  collectAnew,
  datePackage,
  deletePages,
  findPackage,
  listTasks,
  openTasks,
  planTasks,
  skipOpenTasks,
} from './fulfilment/index.ts';
import { insertEvent, revokeTokens } from './history/store.ts';
import type { Completion } from './mails/index.ts';
import { mailedLink, notify } from './notify.ts';
import {
  asksRequestor,
  type CaseStatus,
  daysBetween,
  deadlineOf,
  type Ground,
  isClosed,
  movesFrom,
  needsReason,
  stopsClock,
} from './rules.ts';
import type { Dsar, Sender } from './site.ts';
import { type Case, type CaseChanges, updateCase } from './store.ts';

export interface CaseUpdate {
  status?: CaseStatus | undefined;
  /** Told to the requestor where the case is refused or put on hold. */
  reason?: string | undefined;
  ground?: Ground | undefined;
  /** A login; null takes it away. */
  assignee?: string | null | undefined;
  extend?: { reason: string } | undefined;
}

/** What a change of a case works with, within its transaction. */
export interface Change {
  dsar: Dsar;
  trx: Trx;
  announce: Announce;
  sender: Sender;
  actor: string;
  at: number;
}

/**
 * Moves a case to another state, with all that follows from it.
 * @throws RestError 409 `invalid_transition` for a move that there is not, 409 `sources_unresolved`
 * for completing what is not done, 400 `rest_invalid_param` without the reason that it takes
 */
export async function move(
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
  if (isClosed(from) && dsarCase.anonymisedAt !== null) {
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
  // A link that was mailed before is about a result that no longer stands.
  await revokeTokens(trx, id, 'download', at);
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
  const tasks = await listTasks(trx, id);
  const erasures = tasks.filter(({ kind }) => kind === 'erase');
  const report = erasures.map(({ label, status, outcome }) => ({
    label,
    isLeftOut: status === 'skipped',
    ...outcome,
  }));
  // Of a request that was opened again there may be an older package.
  const isMade = tasks.some(({ kind, status }) => kind === 'package' && status === 'done');
  if (!isMade || !(await findPackage(trx, id))) return { report };
  return { report, downloadUrl: await mailedLink(dsar, trx, id, 'download') };
}
