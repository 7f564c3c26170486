import { invalidParams, RestError } from '../../../platform/rest/errors.ts';
import { notify } from '../messages/notify.ts';
import {
  asksRequester,
  daysBetween,
  type Ground,
  getDeadline,
  HOLD_GROUNDS,
  stopsClock,
  toHoldGround,
} from '../rules.ts';
import { type Case, type CaseChanges, updateCase } from '../store.ts';
import { type CaseUpdate, type Change, readText } from './change.ts';
import { findLastEvent, insertEvent } from './history/store.ts';

/** Pauses the deadline of a case, or continues it by as many days later. */
export function getPauseChanges(dsarCase: Case, isPaused: boolean, today: string): CaseChanges {
  const { regime, receivedOn, pausedOn } = dsarCase;
  if (isPaused) return pausedOn === null ? { pausedOn: today } : {};
  if (pausedOn === null) return {};
  const pausedDays = dsarCase.pausedDays + daysBetween(pausedOn, today);
  const extended = dsarCase.extendedAt !== null;
  const deadline = getDeadline({ receivedOn, regime, extended, pausedDays });
  return { pausedOn: null, pausedDays, deadline };
}

/** @throws RestError 400 `rest_invalid_param` for a ground that is none of a hold */
export function assertHoldGround(ground: Ground | undefined): void {
  if (ground === undefined || HOLD_GROUNDS.includes(ground)) return;
  const message = `The ground of a hold must be one of: ${HOLD_GROUNDS.join(', ')}.`;
  throw invalidParams({ ground: { code: 'rest_invalid_param', message, data: null } });
}

/**
 * Restates a case in the status that it has. A hold gets another ground or reason: whether the
 * deadline is paused is decided anew, and the requester is told. To send the same again changes nothing.
 * @throws RestError 409 `invalid_transition` where the status takes no other reason
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
  const before = (last?.details ?? {}) as { ground?: Ground; reason?: string };
  // A reason explains its ground: another ground does not inherit it.
  const isSameGround = ground === undefined || ground === dsarCase.ground;
  const next = {
    ground: ground ?? (dsarCase.ground as Ground | null) ?? undefined,
    reason: reason ?? (isSameGround ? before.reason : undefined),
  };
  if (isSameGround && next.reason === before.reason) return dsarCase;
  if (status !== 'on_hold') {
    const message = `The request is already ${status}. A ground and a reason belong to a change of its status, or to a hold.`;
    throw new RestError(409, 'invalid_transition', message);
  }
  assertHoldGround(ground);
  const held = toHoldGround(next.ground, next.reason);
  const changed = await updateCase(trx, id, {
    ground: held,
    ...getPauseChanges(dsarCase, stopsClock(regime, held), dsar.dayOf(at)),
  });
  const details = {
    from: dsarCase.ground,
    to: held,
    ...(held && { ground: held }),
    ...(next.reason && { reason: next.reason }),
  };
  await insertEvent(trx, id, { at, actor, action: 'hold_changed', details });
  await notifyPause(change, changed, next.reason ?? '');
  return changed;
}

/** Tells the requester why the case is on hold, and asks them where the hold waits for them. */
export async function notifyPause(
  { dsar, trx, announce, sender }: Change,
  dsarCase: Case,
  reason: string,
): Promise<void> {
  const asks = asksRequester(dsarCase.ground);
  await notify(dsar, { trx, announce, sender }, dsarCase, 'paused', (emails, facts) =>
    asks ? emails.asked(facts, reason) : emails.paused(facts, reason),
  );
}
