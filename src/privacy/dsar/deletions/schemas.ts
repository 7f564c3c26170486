import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { Moment, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import { CASE_STATUSES, REQUEST_TYPES } from '../rules.ts';
import type { CaseDeletion } from './store.ts';

const MOMENT = '2026-11-21T09:30:00.000Z';

export const DeletionArgs = Type.Object(
  {
    reason: Type.Optional(
      Text(1_000, {
        description:
          'Why the request is deleted. Recommended: it stays in the deletion log. Name no person here.',
      }),
    ),
  },
  { title: 'DsarDeletionReason' },
);

export const DeletionRecord = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the entry in the log.' }),
    reference: Type.String({ description: 'The reference of the request.' }),
    request_type: OneOf(REQUEST_TYPES),
    status: OneOf(CASE_STATUSES, { description: 'The status of the request when it was deleted.' }),
    received_at: Moment('When the request was received.', MOMENT),
    closed_at: nullable(Moment('When it was closed; null if it was open.', MOMENT)),
    deleted_at: Moment('When it was deleted.', MOMENT),
    actor: Type.String({ description: 'The login of who deleted it.' }),
    reason: nullable(Type.String({ description: 'Why, where that was said.' })),
  },
  {
    title: 'DsarDeletion',
    description: 'A deleted request: when, by whom and why. Nothing about the person is kept.',
  },
);

export const toDeletionRecord = (deletion: CaseDeletion): Static<typeof DeletionRecord> => ({
  id: deletion.id,
  reference: deletion.reference,
  request_type: deletion.requestType,
  status: deletion.status,
  received_at: toIsoMoment(deletion.receivedAt),
  closed_at: deletion.closedAt === null ? null : toIsoMoment(deletion.closedAt),
  deleted_at: toIsoMoment(deletion.deletedAt),
  actor: deletion.actor,
  reason: deletion.reason,
});
