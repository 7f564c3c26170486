import { type Static, Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../../../platform/clock.ts';
import { Moment, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import { toSnakeCase } from '../../../platform/key-case.ts';
import type { CompletionPreview } from '../cases/completion.ts';
import { GROUNDS, KEEP_GROUNDS } from '../rules.ts';
import { describedText, EXAMPLE, text } from '../schemas.ts';
import type { ErasurePreview } from './approval.ts';
import type { Task } from './store.ts';
import { TASK_KINDS, TASK_STATUSES } from './tables.ts';

const KeepGround = OneOf(KEEP_GROUNDS, {
  description: 'Why data is kept: an exception of GDPR Art. 17(3), or another legal basis.',
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
    kind: OneOf(TASK_KINDS),
    source: Type.String(),
    label: Type.String(),
    status: OneOf(TASK_STATUSES, {
      description: 'A `waiting` task of kind `erase` needs approval.',
    }),
    attempts: Type.Integer(),
    records: Type.Integer({ description: 'Number of records collected.' }),
    erased: Type.Integer(),
    anonymised: Type.Integer(),
    kept: Type.Array(Kept),
    last_error: text,
    reason: describedText('Why the task was skipped.'),
    ground: nullable(OneOf(GROUNDS, { description: 'The ground on which the task was skipped.' })),
    result: describedText('What was done manually.'),
    finished_at: nullable(Moment('When the task was done or skipped.', EXAMPLE)),
  },
  { title: 'DsarTask', description: 'The work on a request in one source.' },
);

export const toTaskRecord = ({
  dueAt: _dueAt,
  nextPage: _nextPage,
  outcome,
  finishedAt,
  ...task
}: Task): Static<typeof TaskRecord> => ({
  ...toSnakeCase(task),
  ...outcome,
  finished_at: toIsoMomentOrNull(finishedAt),
});

export const TaskUpdateArgs = Type.Object(
  {
    status: OneOf(['pending', 'done', 'skipped'], {
      description:
        '`pending` retries the task, `done` completes a manual task, `skipped` needs a reason.',
    }),
    reason: Type.Optional(
      Text(5_000, {
        description: 'Why the task is skipped. Included in the email to the requester.',
      }),
    ),
    ground: Type.Optional(KeepGround),
    result: Type.Optional(
      Text(5_000, {
        description:
          'What was done manually. Required for rectification and objection. Included in the email to the requester, except that of the check of a visitor id.',
      }),
    ),
  },
  {
    title: 'DsarTaskUpdate',
    examples: [{ status: 'done', result: 'Corrected the postal address.' }],
  },
);

export const ApproveArgs = Type.Object(
  {
    decisions: Type.Optional(
      Type.Array(
        Type.Object({
          source: Text(100, { description: 'The `source` of a task that needs approval.' }),
          decision: OneOf(['approve', 'refuse']),
          ground: Type.Optional(KeepGround),
          reason: Type.Optional(
            Text(5_000, {
              description: 'The reason for a refusal. Included in the email to the requester.',
            }),
          ),
        }),
        {
          maxItems: 500,
          description:
            'Decisions on single sources. Sources that are not listed stay pending approval. Without `decisions`, every source is approved. A refusal needs a ground and a reason. `customers`, `dsar_cases` and `users` can be approved only with the sources whose records are found by them.',
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
    error: describedText('Why the preview failed.'),
  },
  {
    title: 'DsarErasurePreview',
    description:
      'The effect of erasing in a source now. `outcome` is null if an extension has no preview.',
  },
);

export const toErasurePreview = ({
  task: { id, source, label },
  ...result
}: ErasurePreview): Static<typeof ErasurePreviewRecord> => ({
  ...{ task_id: id, source, label },
  ...result,
});

export const CompletionArgs = Type.Object({
  reason: Type.Optional(Text(5_000, { description: 'The reason for skipping open tasks.' })),
});

export const CompletionRecord = Type.Object(
  {
    recipient: text,
    language: Type.String(),
    subject: Type.String(),
    text: Type.String({
      description:
        'The email as plain text, without the download link. If `recipient` is null, no email is sent: send the text another way.',
    }),
    open: Type.Array(TaskRecord, {
      description: 'Open tasks. Completing the request needs a reason for skipping them.',
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
    description:
      'The email that completing a request sends to the requester; without an email address, a text to send another way.',
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
