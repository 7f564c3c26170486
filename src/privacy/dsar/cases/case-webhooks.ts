import { toIsoMoment } from '../../../platform/clock.ts';
import { type EventType, queueEvents } from '../../../webhooks/index.ts';
import type { CaseChange } from '../context.ts';
import type { Case } from '../store.ts';

/** What the functions below need of a change of cases. */
export type Announcing = Pick<CaseChange, 'trx' | 'announce' | 'at'>;

/** Queues a webhook event about a case. It has no personal data, so an erasure leaves it. */
const queueCaseEvent = (
  { trx, announce, at }: Announcing,
  type: EventType,
  dsarCase: Case,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  queueEvents(trx, announce, { type, at }, () => [
    {
      data: {
        request: {
          id: dsarCase.id,
          reference: dsarCase.reference,
          request_type: dsarCase.requestType,
          status: dsarCase.status,
          regime: dsarCase.regime,
          received_at: toIsoMoment(dsarCase.receivedAt),
          deadline: dsarCase.deadline,
        },
        ...more,
      },
    },
  ]);

export const queueCreated = (change: Announcing, dsarCase: Case): Promise<void> =>
  queueCaseEvent(change, 'dsar.created', dsarCase);

/** @param before the case before its status or deadline changed */
export const queueUpdated = (
  change: Announcing,
  before: Pick<Case, 'status' | 'deadline'>,
  dsarCase: Case,
): Promise<void> =>
  queueCaseEvent(change, 'dsar.updated', dsarCase, {
    before: { status: before.status, deadline: before.deadline },
  });
