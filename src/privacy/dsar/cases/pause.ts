import { DomainError, InvalidFieldError } from '../../../platform/errors.ts';
import { notify } from '../messages/notify.ts';
import {
  asksRequester,
  countDays,
  type Ground,
  getDeadline,
  HOLD_GROUNDS,
  isOverdue,
  pausesDeadline,
  toHoldGround,
} from '../rules.ts';
import { type Case, type CaseChanges, updateCase } from '../store.ts';
import { queueUpdated } from './case-webhooks.ts';
import { type CaseUpdate, type Change, readText } from './change.ts';
import { findLastEvent, insertEvent } from './history/store.ts';

/**
 * Pauses the deadline of a case, or resumes it later by the days that it was paused. One that has passed is not paused:
 * the person must have been asked before it (GDPR Art. 12(3)).
 */
export function getPauseChanges(dsarCase: Case, isPaused: boolean, today: string): CaseChanges {
  const { pausedOn, deadline: current } = dsarCase;
  if (isPaused)
    return pausedOn === null && !isOverdue({ deadline: current, today }) ? { pausedOn: today } : {};
  if (pausedOn === null) return {};
  // Earlier versions paused deadlines that had passed. The days are negative if the clock was set back since.
  const isLate = isOverdue({ deadline: current, today: pausedOn });
  const pausedDays = dsarCase.pausedDays + (isLate ? 0 : Math.max(0, countDays(pausedOn, today)));
  const extended = dsarCase.extendedAt !== null;
  const deadline = getDeadline({ ...dsarCase, extended, pausedDays });
  return { pausedOn: null, pausedDays, deadline };
}

export function assertHoldGround(ground: Ground | undefined): void {
  if (ground === undefined || HOLD_GROUNDS.includes(ground)) return;
  const message = `The ground of a hold must be one of: ${HOLD_GROUNDS.join(', ')}.`;
  throw new InvalidFieldError('ground', message);
}

/**
 * Updates the ground or reason of a hold: whether the deadline is paused is decided again, and the requester gets
 * an email. Sending the same ground and reason again changes nothing.
 * @throws DomainError 409 `invalid_transition` if the case is not on hold
 */
export async function updateHold(
  change: Change,
  dsarCase: Case,
  { ground, reason: given }: CaseUpdate,
): Promise<Case> {
  const reason = readText('reason', given);
  if (ground === undefined && reason === undefined) return dsarCase;
  const { dsar, trx, actor, at } = change;
  const { id, status, regime } = dsarCase;
  const last = await findLastEvent(trx, id, ['status_changed', 'hold_changed']);
  const { reason: lastReason } = (last?.details ?? {}) as { reason?: string };
  // A reason explains its ground: another ground does not inherit it.
  const isSameGround = ground === undefined || ground === dsarCase.ground;
  const nextReason = reason ?? (isSameGround ? lastReason : undefined);
  if (isSameGround && nextReason === lastReason) return dsarCase;
  if (status !== 'on_hold') {
    const message = `The request is already ${status}. A ground and a reason belong to a change of its status, or to a hold.`;
    throw new DomainError('conflict', 'invalid_transition', message);
  }
  assertHoldGround(ground);
  const nextGround = toHoldGround(ground ?? dsarCase.ground, nextReason);
  const changed = await updateCase(trx, id, {
    ground: nextGround,
    ...getPauseChanges(dsarCase, pausesDeadline(regime, nextGround), dsar.formatDay(at)),
  });
  const details = {
    from: dsarCase.ground,
    to: nextGround,
    ...(nextGround && { ground: nextGround }),
    ...(nextReason && { reason: nextReason }),
  };
  await insertEvent(trx, id, { at, actor, action: 'hold_changed', details });
  if (changed.deadline !== dsarCase.deadline) await queueUpdated(change, dsarCase, changed);
  await notifyPause(change, changed, nextReason ?? '');
  return changed;
}

/** Explains a hold to the requester, and asks for an answer if the hold depends on it. */
export const notifyPause = (change: Change, dsarCase: Case, reason: string): Promise<void> =>
  notify(change, dsarCase, 'paused', (emails) =>
    asksRequester(dsarCase.ground) ? emails.asked(reason) : emails.paused(reason),
  );
