import type { Trx } from '../../../platform/db/index.ts';
import { invalidParam, RestError } from '../../../platform/rest/errors.ts';
import type { Dsar } from '../context.ts';
import {
  deletePages,
  listTasks,
  openTasks,
  planTasks,
  reopenTasks,
  setPackageClosedAt,
  skipOpenTasks,
} from '../fulfilment/index.ts';
import type { Completion } from '../messages/index.ts';
import { createLink, notify } from '../messages/notify.ts';
import {
  type CaseStatus,
  findArticle,
  type Ground,
  isClosed,
  listRefusalGrounds,
  listTransitions,
  needsReason,
  stopsClock,
  toHoldGround,
} from '../rules.ts';
import { type Case, type CaseChanges, updateCase } from '../store.ts';
import { announceStatus, type CaseUpdate, type Change, readText } from './change.ts';
import { readResult } from './completion.ts';
import { insertEvent, revokeTokens } from './history/store.ts';
import { assertHoldGround, getPauseChanges, notifyPause } from './pause.ts';

/**
 * Moves a case to another state, with all that follows from it.
 * @throws RestError 409 `invalid_transition` for a move that there is not, 409 `sources_unresolved`
 * for completing what is not done, 400 `rest_invalid_param` without the reason that it takes
 */
export async function transition(
  change: Change,
  dsarCase: Case,
  to: CaseStatus,
  { reason: given, ground: asked }: CaseUpdate,
): Promise<Case> {
  const { dsar, trx, actor, at } = change;
  const { status: from, id, regime } = dsarCase;
  const moves = listTransitions(from);
  if (!moves.includes(to)) {
    const message = `A request that is ${from} cannot become ${to}: it can become ${moves.join(', ')}.`;
    throw new RestError(409, 'invalid_transition', message);
  }
  if (needsReason(from, to) && !given?.trim()) {
    const what = isClosed(from) ? 'opened again' : 'refused: the requestor is told';
    throw invalidParam('reason', `Say why the request is ${what}.`);
  }
  const reason = readText('reason', given);
  if (to === 'on_hold') assertHoldGround(asked);
  if (to === 'rejected') assertRefusalGround(dsarCase, asked);
  // That of this hold or refusal; the one of an earlier hold is in the events.
  const ground = groundFor(to, asked, reason);
  if ((dsarCase.anonymisedAt ?? dsarCase.erasedAt) !== null) {
    const message = 'The request is anonymised: nothing can be done for it any more.';
    throw new RestError(409, 'invalid_transition', message);
  }
  if (to === 'completed') await assertTasksDone(change, id, reason);
  const changes: CaseChanges = {
    status: to,
    ...getPauseChanges(dsarCase, to === 'on_hold' && stopsClock(regime, ground), dsar.dayOf(at)),
    ground,
    closedAt: isClosed(to) ? at : null,
  };
  const changed = await updateCase(trx, id, changes);
  const details = { from, to, ...(ground && { ground }), ...(reason && { reason }) };
  await insertEvent(trx, id, { at, actor, action: 'status_changed', details });
  announceStatus(change.announce, dsarCase, to);
  await setPackageClosedAt(trx, changed);
  // A link that was mailed before is about a result that no longer stands.
  await revokeTokens(trx, id, 'download', at);
  if (isClosed(to)) await deletePages(trx, id);
  // What was collected then is gone, or old by now.
  if (isClosed(from)) await reopenTasks(trx, id, at);
  if (to === 'in_progress') await planTasks(dsar, trx, change.announce, changed, change.autoErase);
  await notifyRequester(change, changed, from, reason ?? '');
  return changed;
}

function groundFor(
  to: CaseStatus,
  ground: Ground | undefined,
  reason: string | undefined,
): Ground | null {
  if (to === 'on_hold') return toHoldGround(ground, reason);
  return (to === 'rejected' && ground) || null;
}

/** @throws RestError 400 `rest_invalid_param` for a refusal without a ground that allows it */
function assertRefusalGround({ requestType }: Case, ground: Ground | undefined): void {
  const grounds = listRefusalGrounds(requestType);
  if (ground !== undefined && grounds.includes(ground)) return;
  const message = `A request of type ${requestType} is refused on one of these grounds: ${grounds.join(', ')}.`;
  throw invalidParam('ground', message);
}

/** @throws RestError 409 `sources_unresolved` without a reason for leaving them so */
async function assertTasksDone(
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

async function notifyRequester(
  change: Change,
  dsarCase: Case,
  from: CaseStatus,
  reason: string,
): Promise<void> {
  const { dsar, trx } = change;
  const by = change;
  const ground = (dsarCase.ground ?? 'other') as Ground;
  switch (dsarCase.status) {
    case 'in_progress':
      return notify(
        dsar,
        by,
        dsarCase,
        from === 'on_hold' ? 'resumed' : 'started',
        (emails, facts) => emails.started(facts),
      );
    case 'on_hold':
      return notifyPause(change, dsarCase, reason);
    case 'rejected':
      return notify(dsar, by, dsarCase, 'rejected', (emails, facts) =>
        emails.rejected(facts, { ground, article: findArticle(ground, dsarCase.regime), reason }),
      );
    case 'withdrawn':
      return notify(dsar, by, dsarCase, 'withdrawn', (emails, facts) => emails.withdrawn(facts));
    case 'completed': {
      const result = await readCompletion(dsar, trx, dsarCase);
      return notify(dsar, by, dsarCase, 'completed', (emails, facts) =>
        emails.completed(facts, result),
      );
    }
  }
}

async function readCompletion(dsar: Dsar, trx: Trx, dsarCase: Case): Promise<Completion> {
  const { stored, ...result } = await readResult(trx, dsarCase);
  if (!stored) return result;
  return { ...result, downloadUrl: await createLink(dsar, trx, dsarCase.id, 'download') };
}
