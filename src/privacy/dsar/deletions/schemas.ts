import { type Static, Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../../../platform/clock.ts';
import { Moment, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import { toSnakeCase } from '../../../platform/key-case.ts';
import { CASE_STATUSES, REQUEST_TYPES } from '../rules.ts';
import { describedText, EXAMPLE } from '../schemas.ts';
import type { CaseDeletion } from './store.ts';

export const DeletionArgs = Type.Object(
  {
    reason: Type.Optional(
      Text(1_000, {
        description:
          'Why the request is deleted. Recommended. It is kept in the deletion log, so do not name a person.',
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
    received_at: Moment('When the request was received.', EXAMPLE),
    closed_at: nullable(Moment('When it was closed; null if it was open.', EXAMPLE)),
    deleted_at: Moment('When it was deleted.', EXAMPLE),
    actor: Type.String({
      description:
        'The login of the user who deleted it, or `schedule` for a nightly retention run.',
    }),
    reason: describedText('The reason, if one was given; the policy and run of a retention run.'),
  },
  {
    title: 'DsarDeletion',
    description:
      'An entry of the deletion log. It holds no data about the person who made the request.',
  },
);

export const toDeletionRecord = ({
  receivedOn: _receivedOn,
  anonymisedAt: _anonymisedAt,
  ...deletion
}: CaseDeletion): Static<typeof DeletionRecord> => ({
  ...toSnakeCase(deletion),
  received_at: toIsoMoment(deletion.receivedAt),
  closed_at: toIsoMomentOrNull(deletion.closedAt),
  deleted_at: toIsoMoment(deletion.deletedAt),
});
