import { Type } from 'typebox';
import {
  type LegalHold,
  PERIOD_UNITS,
  type PersonalDataDeclaration,
  RETENTION_ACTIONS,
} from '../../personal-data/index.ts';
import { toIsoMoment } from '../../platform/clock.ts';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { paginationArgs } from '../../platform/rest/pagination.ts';
import type { RetentionChange } from './changes/store.ts';
import type { Preview } from './preview.ts';
import { type RunResult, sumRecords } from './run.ts';
import type { PolicyOutcome, Run } from './runs/store.ts';
import type { Policy } from './store.ts';
import { CHANGE_ACTIONS, CHANGE_SUBJECTS } from './tables.ts';

const MOMENT = '2026-11-21T09:30:00.000Z';
const Flag = Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const Id = (what: string) => Type.Integer({ minimum: 1, description: `The id of ${what}.` });

const Action = OneOf(RETENTION_ACTIONS, {
  description: 'anonymise removes what is personal and keeps the rest; delete removes the record.',
});
const Category = Text(64, { description: 'The slug of a kind of record.' });

/** What a policy says, for categories that there are. */
const toPolicyFields = (categories: readonly string[]) => ({
  name: Text(100, { description: 'What people read.' }),
  data_category: OneOf(categories, { description: 'The kind of record it is about.' }),
  period_value: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    description: 'How many of the units records are kept; a hundred years at most.',
  }),
  period_unit: OneOf(PERIOD_UNITS, { description: 'Months and years are those of the calendar.' }),
  action: Action,
});

const isActive = Type.Union([Flag, Type.Boolean()], {
  description: 'Whether it runs; 1 unless given.',
});

export const policyCreation = (categories: readonly string[]) =>
  Type.Object(
    { ...toPolicyFields(categories), is_active: Type.Optional(isActive) },
    {
      title: 'RetentionPolicyCreation',
      examples: [
        {
          name: 'Consent after two years',
          data_category: 'consent_records',
          period_value: 2,
          period_unit: 'years',
          action: 'anonymise',
        },
      ],
    },
  );

/** Absent leaves alone; there is nothing that null could clear. */
export const policyUpdate = (categories: readonly string[]) =>
  Type.Partial(Type.Object({ ...toPolicyFields(categories), is_active: isActive }), {
    title: 'RetentionPolicyUpdate',
    examples: [{ period_value: 3 }],
  });

export const PolicyFilterArgs = {
  active_only: Type.Optional(Type.Boolean({ description: '1: only policies that run.' })),
  data_category: Type.Optional(Category),
};

export const PolicyRecord = Type.Object(
  {
    id: Id('the policy'),
    ...toPolicyFields([]),
    data_category: Category,
    is_active: Flag,
    last_run_at: nullable(Moment('When it ran last; dry runs don’t count.', MOMENT)),
    created_at: Moment('When it was made.', MOMENT),
    updated_at: Moment('When it was last changed.', MOMENT),
  },
  { title: 'RetentionPolicy', description: 'How long records are kept, and what happens then.' },
);

export const toPolicyRecord = (policy: Policy) => ({
  id: policy.id,
  name: policy.name,
  data_category: policy.dataCategory,
  period_value: policy.periodValue,
  period_unit: policy.periodUnit,
  action: policy.action,
  is_active: policy.isActive ? 1 : 0,
  last_run_at: policy.lastRunAt === null ? null : toIsoMoment(policy.lastRunAt),
  created_at: toIsoMoment(policy.createdAt),
  updated_at: toIsoMoment(policy.updatedAt),
});

export const RunArgs = Type.Object(
  {
    dry_run: Type.Boolean({
      default: true,
      description: 'Only say what a run would do. It takes a false to change anything.',
    }),
    policy_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'One policy instead of all that are active.' }),
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
    due_before: Moment('Records whose moment lies before this one are due.', MOMENT),
    records_affected: count('Records that were changed, or in a dry run would be.'),
    records_held: count('Records that are due, but kept by a hold.'),
    error: nullable(Type.String({ description: 'Why the policy could not be carried out.' })),
  },
  { title: 'RetentionResult' },
);

const toResult = (outcome: PolicyOutcome) => ({
  policy_id: outcome.policyId,
  policy_name: outcome.policyName,
  data_category: outcome.dataCategory,
  action: outcome.action,
  due_before: toIsoMoment(outcome.dueBefore),
  records_affected: outcome.recordsAffected,
  records_held: outcome.recordsHeld,
  error: outcome.error,
});

const totals = {
  results: Type.Array(Result),
  policies_run: count('The number of results.'),
  total_affected: count('The sum of the results.'),
  as_of: Moment('The moment that ages were counted up to.', MOMENT),
};

const toTotals = (asOf: number, outcomes: readonly PolicyOutcome[]) => ({
  results: outcomes.map(toResult),
  policies_run: outcomes.length,
  total_affected: sumRecords(outcomes),
  as_of: toIsoMoment(asOf),
});

export const RunAnswer = Type.Object(
  {
    ...totals,
    dry_run: Type.Boolean({ description: 'Whether nothing was changed.' }),
    run_id: nullable(Id('the run; null for a dry run')),
  },
  { title: 'RetentionRunResult' },
);

export const toRunAnswer = ({ asOf, dryRun, runId, outcomes }: RunResult) => ({
  ...toTotals(asOf, outcomes),
  dry_run: dryRun,
  run_id: runId,
});

/** A run that has been silent for so long was cut off. */
const SILENCE_MS = 5 * 60_000;

export const RunRecord = Type.Object(
  {
    id: Id('the run'),
    status: OneOf(['running', 'finished', 'interrupted'], {
      description: 'What an interrupted run left undone is done by the next.',
    }),
    started_by: Type.String({ description: 'A login, or what else started it.' }),
    started_at: Moment('When it began.', MOMENT),
    finished_at: nullable(Moment('When it ended.', MOMENT)),
    ...totals,
  },
  { title: 'RetentionRun' },
);

export function toRunRecord(run: Run, now: number) {
  const unfinished = now - run.lastSeenAt < SILENCE_MS ? 'running' : 'interrupted';
  return {
    id: run.id,
    status: run.finishedAt === null ? unfinished : 'finished',
    started_by: run.startedBy,
    started_at: toIsoMoment(run.startedAt),
    finished_at: run.finishedAt === null ? null : toIsoMoment(run.finishedAt),
    ...toTotals(run.asOf, run.outcomes),
  };
}

export const PreviewRecord = Type.Object(
  {
    policy: PolicyRecord,
    as_of: totals.as_of,
    due_before: Result.properties.due_before,
    records_affected: count('Records that are due by this policy on its own.'),
    records_held: Result.properties.records_held,
    oldest: nullable(Moment('The moment of the oldest of them.', MOMENT)),
    ages: Type.Array(
      Type.Object({
        from_days: Type.Integer(),
        to_days: nullable(Type.Integer()),
        records: Type.Integer(),
      }),
      { description: 'How many have been due for so many days.' },
    ),
    sample_ids: Type.Array(Type.Integer(), { description: 'The first ids, ten at most.' }),
  },
  { title: 'RetentionPreview' },
);

export const toPreviewRecord = (policy: Policy, preview: Preview) => ({
  policy: toPolicyRecord(policy),
  as_of: toIsoMoment(preview.asOf),
  due_before: toIsoMoment(preview.dueBefore),
  records_affected: preview.recordsAffected,
  records_held: preview.recordsHeld,
  oldest: preview.oldest === null ? null : toIsoMoment(preview.oldest),
  ages: preview.ages.map(({ fromDays, toDays, records }) => ({
    from_days: fromDays,
    to_days: toDays,
    records,
  })),
  sample_ids: preview.sampleIds,
});

export const CategoryRecord = Type.Object(
  {
    slug: Category,
    label: Type.String(),
    counted_from: Type.String({ description: 'The field that the age of a record counts from.' }),
  },
  { title: 'RetentionCategory' },
);

export const toCategoryRecord = ({
  category,
  label,
  due,
}: PersonalDataDeclaration & { due: string }) => ({
  slug: category,
  label,
  counted_from: due,
});

export const holdCreation = (categories: readonly string[]) =>
  Type.Object(
    {
      data_category: OneOf(categories, { description: 'The kind of record.' }),
      record_id: Type.Optional(
        nullable(
          Type.Integer({ minimum: 1, description: 'One record; without it, all of the category.' }),
        ),
      ),
      reason: Text(200, { description: 'Why it must be kept. Name no person here.' }),
    },
    {
      title: 'RetentionHoldCreation',
      examples: [{ data_category: 'consent_records', reason: 'A complaint is being looked into.' }],
    },
  );

export const HoldRecord = Type.Object(
  {
    id: Id('the hold'),
    data_category: Category,
    record_id: nullable(Id('the record; null for all of the category')),
    reason: Type.String(),
    placed_by: Type.String({ description: 'The login of who placed it.' }),
    created_at: Moment('When it was placed.', MOMENT),
    lifted_at: nullable(Moment('When it was lifted; null while it is in force.', MOMENT)),
    lifted_by: nullable(Type.String({ description: 'The login of who lifted it.' })),
    lifted_reason: nullable(
      Type.String({ description: 'Why it was lifted, where that was said.' }),
    ),
  },
  { title: 'RetentionHold', description: 'What is kept although it is due.' },
);

export const HoldQuery = Type.Object({
  status: OneOf(['active', 'lifted'], {
    description: 'active: holds in force; lifted: those that were lifted.',
    default: 'active',
  }),
  ...paginationArgs(),
});

export const LiftArgs = Type.Object(
  {
    reason: Type.Optional(
      Text(200, {
        description:
          'Why it is lifted. Recommended: it stays in the change history. Name no person here.',
      }),
    ),
  },
  { title: 'RetentionHoldLift' },
);

export const toHoldRecord = (hold: LegalHold) => ({
  id: hold.id,
  data_category: hold.dataCategory,
  record_id: hold.recordId,
  reason: hold.reason,
  placed_by: hold.placedBy,
  created_at: toIsoMoment(hold.createdAt),
  lifted_at: hold.lifted && toIsoMoment(hold.lifted.at),
  lifted_by: hold.lifted?.by ?? null,
  lifted_reason: hold.lifted?.reason ?? null,
});

export const ChangeFilterArgs = Type.Object({
  subject: Type.Optional(
    OneOf(CHANGE_SUBJECTS, { description: 'Only changes of policies, or of holds.' }),
  ),
  subject_id: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Only changes of this policy or hold.' }),
  ),
  ...paginationArgs(),
});

const said = (description: string) =>
  nullable(Type.Record(Type.String(), Type.Unknown(), { description }));

export const ChangeRecord = Type.Object(
  {
    id: Id('the change'),
    at: Moment('When it was made.', MOMENT),
    actor: Type.String({ description: 'A login, or the command line.' }),
    subject: OneOf(CHANGE_SUBJECTS, { description: 'What was changed.' }),
    subject_id: Id('the policy or the hold'),
    action: OneOf(CHANGE_ACTIONS, {
      description: 'Policies are created, updated and deleted; holds are placed and lifted.',
    }),
    before: said('What it said before; null for a new one.'),
    after: said('What it says since; null for a deleted policy and a lifted hold.'),
    reason: nullable(Type.String({ description: 'Why a hold was placed or lifted.' })),
  },
  { title: 'RetentionChange', description: 'A change of a retention policy or of a legal hold.' },
);

export const toChangeRecord = ({ at, subjectId, ...change }: RetentionChange) => ({
  ...change,
  at: toIsoMoment(at),
  subject_id: subjectId,
});
