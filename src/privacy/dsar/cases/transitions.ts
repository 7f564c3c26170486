import { DomainError, InvalidFieldError } from '../../../platform/errors.ts';
import {
  assertPackageReplaceable,
  deletePages,
  listTasks,
  openTasks,
  planTasks,
  reopenTasks,
  setPackageClosedAt,
  skipOpenTasks,
  type Task,
} from '../fulfilment/index.ts';
import type { Completion, SourceReport } from '../messages/index.ts';
import { createLink, revokeLinks } from '../messages/links.ts';
import { expireEmails, notify } from '../messages/notify.ts';
import {
  type CaseStatus,
  findArticle,
  type Ground,
  isClosed,
  listRefusalGrounds,
  listTransitions,
  needsReason,
  pausesDeadline,
  toHoldGround,
} from '../rules.ts';
import { type Case, updateCase } from '../store.ts';
import {
  announceStatus,
  assertNotAnonymised,
  type CaseUpdate,
  type Change,
  readText,
} from './change.ts';
import { readResult } from './completion.ts';
import { hasToken, insertEvent } from './history/store.ts';
import { assertHoldGround, getPauseChanges, notifyPause } from './pause.ts';

/**
 * Changes the status of a case, with everything that follows from it.
 * @throws DomainError 409 `invalid_transition`; 409 `sources_unresolved` for completing a case with open tasks;
 * InvalidFieldError for a missing reason or a ground that does not fit
 */
export async function transition(
  change: Change,
  dsarCase: Case,
  to: CaseStatus,
  { reason: given, ground: givenGround }: CaseUpdate,
): Promise<Case> {
  const { dsar, trx, actor, at } = change;
  const { status: from, id, regime } = dsarCase;
  if (!listTransitions(from).includes(to)) {
    throw new DomainError('conflict', 'invalid_transition', describeTransitionProblem(from, to));
  }
  if (needsReason(from, to) && !given?.trim()) {
    const purpose = isClosed(from) ? 'reopen the request' : 'refuse the request, for the email';
    throw new InvalidFieldError('reason', `A reason is required to ${purpose}.`);
  }
  const reason = readText('reason', given);
  if (to === 'on_hold') assertHoldGround(givenGround);
  if (to === 'rejected') assertRefusalGround(dsarCase, givenGround);
  const ground = getGround(to, givenGround, reason);
  assertNotAnonymised(dsarCase);
  // A reopened case gets a new package.
  if (isClosed(from)) await assertPackageReplaceable(trx, id);
  if (to === 'completed') await resolveTasks(change, id, reason);
  const isPaused = to === 'on_hold' && pausesDeadline(regime, ground);
  const changed = await updateCase(trx, id, {
    status: to,
    ...getPauseChanges(dsarCase, isPaused, dsar.formatDay(at)),
    ground,
    closedAt: isClosed(to) ? at : null,
  });
  const details = { from, to, ...(ground && { ground }), ...(reason && { reason }) };
  await insertEvent(trx, id, { at, actor, action: 'status_changed', details });
  await announceStatus(change, dsarCase, changed);
  await setPackageClosedAt(trx, changed);
  // Earlier links lead to a result that is no longer valid.
  await revokeLinks(change, id, 'download');
  if (from === 'completed') await expireEmails(change, id, ['completed']);
  if (isClosed(to)) await deletePages(trx, id);
  // The records of a reopened case are deleted or outdated.
  if (isClosed(from)) await reopenTasks(trx, id, at);
  if (to === 'in_progress') await planTasks(change, changed);
  await notifyRequester(change, changed, from, reason ?? '');
  return changed;
}

/** The refusal of a change of status, also as an example for the API reference. */
export const describeTransitionProblem = (from: CaseStatus, to: CaseStatus): string =>
  `A request that is ${from} cannot become ${to}: it can become ${listTransitions(from).join(', ')}.`;

/** The refusal to complete a case with open tasks, also as an example for the API reference. */
export function describeOpenTasks(open: readonly Pick<Task, 'label' | 'status'>[]): string {
  const names = open.map(({ label, status }) => `${label} (${status})`).join(', ');
  return `Open tasks: ${names}. Complete or skip each with PUT /dsar/tasks/{id}, or give a reason to skip all.`;
}

/** The ground of this hold or refusal. Those of earlier ones are in the events. */
function getGround(
  to: CaseStatus,
  ground: Ground | undefined,
  reason: string | undefined,
): Ground | null {
  if (to === 'on_hold') return toHoldGround(ground, reason);
  return (to === 'rejected' && ground) || null;
}

function assertRefusalGround({ requestType, regime }: Case, ground: Ground | undefined): void {
  const grounds = listRefusalGrounds(requestType, regime);
  if (ground !== undefined && grounds.includes(ground)) return;
  const message = `To refuse a request of type ${requestType}, ground must be one of: ${grounds.join(', ')}.`;
  throw new InvalidFieldError('ground', message);
}

/**
 * Skips the open tasks of a case for the given reason.
 * @throws DomainError 409 `sources_unresolved` if there are open tasks and no reason
 */
async function resolveTasks(
  { trx, actor, at }: Change,
  caseId: number,
  reason: string | undefined,
): Promise<void> {
  const open = openTasks(await listTasks(trx, caseId));
  if (open.length === 0) return;
  if (!reason) {
    throw new DomainError('conflict', 'sources_unresolved', describeOpenTasks(open));
  }
  await skipOpenTasks(trx, caseId, { reason, actor, at });
}

async function notifyRequester(
  change: Change,
  dsarCase: Case,
  from: CaseStatus,
  reason: string,
): Promise<void> {
  switch (dsarCase.status) {
    case 'in_progress': {
      if (isClosed(from)) {
        const hadLinks =
          from === 'completed' && (await hasToken(change.trx, dsarCase.id, 'download'));
        return notify(change, dsarCase, 'reopened', (emails) => emails.reopened(reason, hadLinks));
      }
      const kind = from === 'on_hold' ? 'resumed' : 'started';
      return notify(change, dsarCase, kind, (emails) => emails[kind](reason));
    }
    case 'on_hold':
      return notifyPause(change, dsarCase, reason);
    case 'rejected': {
      const ground = dsarCase.ground ?? 'other';
      const refusal = { ground, article: findArticle(ground, dsarCase.regime), reason };
      const done = await readErasure(change, dsarCase);
      return notify(change, dsarCase, 'rejected', (emails) => emails.rejected(refusal, done));
    }
    case 'withdrawn': {
      const done = await readErasure(change, dsarCase);
      return notify(change, dsarCase, 'withdrawn', (emails) => emails.withdrawn(reason, done));
    }
    case 'completed': {
      const completion = await readCompletion(change, dsarCase);
      // Has the result, so it can be sent after its link has expired.
      return notify(change, dsarCase, 'completed', (emails) => emails.completed(completion));
    }
  }
}

/** The result of a deletion request, of which a part can be erased before it ends otherwise. */
const readErasure = async ({ trx }: Change, dsarCase: Case): Promise<readonly SourceReport[]> =>
  dsarCase.requestType === 'deletion' ? (await readResult(trx, dsarCase)).report : [];

async function readCompletion(change: Change, dsarCase: Case): Promise<Completion> {
  const { stored, ...result } = await readResult(change.trx, dsarCase);
  // Without an email address, an administrator downloads the package and sends it.
  if (!stored || dsarCase.email === null) return result;
  return { ...result, downloadUrl: await createLink(change, dsarCase.id, 'download') };
}
