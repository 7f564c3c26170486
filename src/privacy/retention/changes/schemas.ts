import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { Moment, nullable, OneOf } from '../../../platform/http/schemas.ts';
import { paginationArgs } from '../../../platform/rest/pagination.ts';
import { EXAMPLE, Id } from '../schemas.ts';
import { CHANGE_ACTIONS, CHANGE_SUBJECTS } from '../tables.ts';
import type { RetentionChange } from './store.ts';

export const ChangeQuery = Type.Object({
  subject: Type.Optional(
    OneOf(CHANGE_SUBJECTS, { description: 'Only changes of policies, or of holds.' }),
  ),
  subject_id: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Only changes of this policy or hold.' }),
  ),
  ...paginationArgs(),
});

const Snapshot = (description: string) =>
  nullable(Type.Record(Type.String(), Type.Unknown(), { description }));

export const ChangeRecord = Type.Object(
  {
    id: Id('the change'),
    at: Moment('When it was made.', EXAMPLE),
    actor: Type.String({ description: 'A login, or the command line.' }),
    subject: OneOf(CHANGE_SUBJECTS, { description: 'What was changed.' }),
    subject_id: Id('the policy or the hold'),
    action: OneOf(CHANGE_ACTIONS, {
      description: 'Policies are created, updated and deleted; holds are placed and lifted.',
    }),
    before: Snapshot('The fields before the change; null for a new policy or hold.'),
    after: Snapshot('The fields after the change; null for a deleted policy or a lifted hold.'),
    reason: nullable(Type.String({ description: 'Why a hold was placed or lifted.' })),
  },
  { title: 'RetentionChange', description: 'A change of a retention policy or of a legal hold.' },
);

export const toChangeRecord = ({ at, subjectId, ...change }: RetentionChange) => ({
  ...change,
  at: toIsoMoment(at),
  subject_id: subjectId,
});
