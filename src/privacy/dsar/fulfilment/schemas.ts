import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { Moment, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import type { CompletionPreview } from '../cases/completion.ts';
import { GROUNDS, KEEP_GROUNDS } from '../rules.ts';
import { EXAMPLE, text } from '../schemas.ts';
import { type ErasurePreview, TASK_STATUSES, type Task } from './index.ts';

const KeepGround = OneOf(KEEP_GROUNDS, {
  description: 'Why data are kept: an exception of GDPR Art. 17(3), or another legal basis.',
});

const Kept = Type.Object(
  {
    count: Type.Integer(),
    reason: Type.String(),
    ground: Type.Optional(
      Type.String({ description: 'The legal ground, if the source names one.' }),
    ),
    until: Type.Optional(
      Type.String({ format: 'date', description: 'When retention takes the last of them.' }),
    ),
  },
  { title: 'DsarKeptRecords' },
);

export const TaskRecord = Type.Object(
  {
    id: Type.Integer(),
    case_id: Type.Integer(),
    kind: OneOf(['collect', 'erase', 'manual', 'package']),
    source: Type.String(),
    label: Type.String(),
    status: OneOf(TASK_STATUSES, {
      description: 'An `erase` task that is `waiting` waits for approval.',
    }),
    attempts: Type.Integer(),
    records: Type.Integer({ description: 'How many were collected.' }),
    erased: Type.Integer(),
    anonymised: Type.Integer(),
    kept: Type.Array(Kept),
    last_error: text,
    reason: nullable(Type.String({ description: 'Why it was left out.' })),
    ground: nullable(OneOf(GROUNDS, { description: 'On which ground it was left out.' })),
    result: nullable(Type.String({ description: 'What was done by hand.' })),
    finished_at: nullable(Moment('When it was done or left out.', EXAMPLE)),
  },
  { title: 'DsarTask', description: 'What is to be done for a request in one source.' },
);

export const toTaskRecord = (task: Task): Static<typeof TaskRecord> => ({
  id: task.id,
  case_id: task.caseId,
  kind: task.kind,
  source: task.source,
  label: task.label,
  status: task.status,
  attempts: task.attempts,
  records: task.records,
  ...task.outcome,
  last_error: task.lastError,
  reason: task.reason,
  ground: task.ground,
  result: task.result,
  finished_at: task.finishedAt === null ? null : toIsoMoment(task.finishedAt),
});

export const TaskUpdateArgs = Type.Object(
  {
    status: OneOf(['pending', 'done', 'skipped'], {
      description: '`pending` tries again, `done` is for manual tasks, `skipped` needs a reason.',
    }),
    reason: Type.Optional(
      Text(5_000, { description: 'Why the source is left out. The requester is told.' }),
    ),
    ground: Type.Optional(KeepGround),
    result: Type.Optional(
      Text(5_000, {
        description:
          'What was done by hand: needed for a rectification and an objection. The requester is told.',
      }),
    ),
  },
  { title: 'DsarTaskUpdate', examples: [{ status: 'done' }] },
);

export const ApproveArgs = Type.Object(
  {
    decisions: Type.Optional(
      Type.Array(
        Type.Object({
          source: Text(100, { description: 'The `source` of a task that waits for approval.' }),
          decision: OneOf(['approve', 'refuse']),
          ground: Type.Optional(KeepGround),
          reason: Type.Optional(
            Text(5_000, { description: 'Of a refusal. The requester is told.' }),
          ),
        }),
        {
          maxItems: 500,
          description:
            'Decisions about single sources; sources that are not named go on waiting. Without it everything is approved. A refusal needs a ground and a reason.',
        },
      ),
    ),
  },
  {
    title: 'DsarApproval',
    examples: [
      {
        decisions: [
          { source: 'consent_records', decision: 'approve' },
          {
            source: 'checkout_orders',
            decision: 'refuse',
            ground: 'legal_obligation',
            reason: 'Tax law requires us to keep invoices.',
          },
        ],
      },
    ],
  },
);

export const ErasurePreviewRecord = Type.Object(
  {
    task_id: Type.Integer(),
    source: Type.String(),
    label: Type.String(),
    outcome: nullable(
      Type.Object({
        erased: Type.Integer(),
        anonymised: Type.Integer(),
        kept: Type.Array(Kept),
      }),
    ),
    error: nullable(Type.String({ description: 'Why there is no preview, if that failed.' })),
  },
  {
    title: 'DsarErasurePreview',
    description:
      'What erasing would do in a source now; `outcome` is null where an extension cannot say beforehand.',
  },
);

export const toErasurePreview = ({
  task,
  outcome,
  error,
}: ErasurePreview): Static<typeof ErasurePreviewRecord> => ({
  task_id: task.id,
  source: task.source,
  label: task.label,
  outcome,
  error,
});

export const CompletionArgs = Type.Object({
  reason: Type.Optional(
    Text(5_000, { description: 'The reason for leaving out what is still open.' }),
  ),
});

export const CompletionRecord = Type.Object(
  {
    recipient: text,
    language: Type.String(),
    subject: Type.String(),
    text: Type.String({ description: 'The email as plain text; the download link is left out.' }),
    open: Type.Array(TaskRecord, {
      description: 'Tasks that are still open: completing takes a reason for leaving them out.',
    }),
    package: nullable(
      Type.Object({
        bytes: Type.Integer(),
        sha256: Type.String(),
        created_at: Moment('When it was made.', EXAMPLE),
      }),
    ),
  },
  {
    title: 'DsarCompletionPreview',
    description: 'What completing a request would send to the requester.',
  },
);

export const toCompletionRecord = ({
  open,
  stored,
  ...preview
}: CompletionPreview): Static<typeof CompletionRecord> => ({
  ...preview,
  open: open.map(toTaskRecord),
  package: stored
    ? { bytes: stored.bytes, sha256: stored.sha256, created_at: toIsoMoment(stored.createdAt) }
    : null,
});
