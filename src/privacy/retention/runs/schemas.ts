import { Type } from 'typebox';
import { isRecent, toIsoMoment, toIsoMomentOrNull } from '../../../platform/clock.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import { Moment, nullable, OneOf } from '../../../platform/http/schemas.ts';
import { toSnakeCase } from '../../../platform/key-case.ts';
import { type RunResult, sumRecords } from '../run.ts';
import { Action, asOfField, Category, count, dueFields, EXAMPLE, Id } from '../schemas.ts';
import type { PolicyOutcome, Run } from './store.ts';

export const RunArgs = Type.Object(
  {
    dry_run: Type.Boolean({
      default: true,
      description: 'Whether to only count the records. Send false to change them.',
    }),
    policy_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Runs one policy instead of all active ones.' }),
    ),
  },
  { title: 'RetentionRunRequest' },
);

const Result = Type.Object(
  {
    policy_id: Id('the policy'),
    policy_name: Type.String(),
    data_category: Category,
    action: Action,
    ...dueFields,
    error: nullable(Type.String({ description: 'Why the policy failed.' })),
  },
  { title: 'RetentionResult' },
);

const totals = {
  results: Type.Array(Result),
  policies_run: count('The number of results.'),
  total_affected: count('The sum of `records_affected` over all results.'),
  ...asOfField,
};

const toTotals = (asOf: number, outcomes: readonly PolicyOutcome[]) => ({
  results: outcomes.map((outcome) => ({
    ...toSnakeCase(outcome),
    due_before: toIsoMoment(outcome.dueBefore),
  })),
  policies_run: outcomes.length,
  total_affected: sumRecords(outcomes),
  as_of: toIsoMoment(asOf),
});

export const RunAnswer = Type.Object(
  {
    ...totals,
    dry_run: Type.Boolean({ description: 'Whether records were only counted.' }),
    run_id: nullable(Id('the run; null for a dry run')),
  },
  { title: 'RetentionRunResult' },
);

export const toRunAnswer = ({ asOf, dryRun, runId, outcomes }: RunResult) => ({
  ...toTotals(asOf, outcomes),
  dry_run: dryRun,
  run_id: runId,
});

/** A run without progress for this time was interrupted. */
const SILENCE_MS = 5 * MINUTE_MS;

export const RunRecord = Type.Object(
  {
    id: Id('the run'),
    status: OneOf(['running', 'finished', 'interrupted'], {
      description: 'The next run continues an interrupted one.',
    }),
    started_by: Type.String({
      description:
        'A login, `schedule`, the command line, or `anonymised` once a policy of `retention_changes` has removed it.',
    }),
    started_at: Moment('When it started.', EXAMPLE),
    finished_at: nullable(Moment('When it finished.', EXAMPLE)),
    ...totals,
  },
  { title: 'RetentionRun' },
);

export function toRunRecord(run: Run, now: number) {
  const unfinished = isRecent(run.lastSeenAt, SILENCE_MS, now) ? 'running' : 'interrupted';
  return {
    id: run.id,
    status: run.finishedAt === null ? unfinished : 'finished',
    started_by: run.startedBy,
    started_at: toIsoMoment(run.startedAt),
    finished_at: toIsoMomentOrNull(run.finishedAt),
    ...toTotals(run.asOf, run.outcomes),
  };
}

export const StatusRecord = Type.Object(
  {
    next_run_at: Moment(
      'When the next scheduled run starts; the present moment while one is due or running.',
      '2026-11-22T03:00:00.000Z',
    ),
  },
  { title: 'RetentionStatus' },
);
