import { Type } from 'typebox';
import {
  PERIOD_UNITS,
  type PersonalDataDeclaration,
  RETENTION_ACTIONS,
} from '../../personal-data/index.ts';
import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import { Flag, Moment, NonBlankText, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { toSnakeCase } from '../../platform/key-case.ts';
import type { Preview } from './preview.ts';
import type { Policy } from './store.ts';

/** The moment that examples use. */
export const EXAMPLE = '2026-11-21T09:30:00.000Z';
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const Id = (what: string) => Type.Integer({ minimum: 1, description: `The id of ${what}.` });

export const Action = OneOf(RETENTION_ACTIONS, {
  description:
    '`anonymise` removes the personal data of a record, `delete` removes the whole record.',
});
export const Category = Text(64, { description: 'The slug of a data category.' });

const toPolicyFields = (categories: readonly string[]) => ({
  name: NonBlankText(100, { description: 'The display name.' }),
  data_category: OneOf(categories, { description: 'The category of the records.' }),
  period_value: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    description: 'The retention period in `period_unit`, at most 100 years.',
  }),
  period_unit: OneOf(PERIOD_UNITS, { description: 'Months and years are calendar units.' }),
  action: Action,
});

const isActive = Type.Union([Flag, Type.Boolean()], {
  description: 'Whether scheduled runs include the policy. Defaults to 1.',
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

export const policyUpdate = (categories: readonly string[]) =>
  Type.Partial(Type.Object({ ...toPolicyFields(categories), is_active: isActive }), {
    title: 'RetentionPolicyUpdate',
    examples: [{ period_value: 3 }],
  });

export const PolicyFilterArgs = {
  active_only: Type.Optional(Type.Boolean({ description: '1 returns only active policies.' })),
  data_category: Type.Optional(Category),
};

export const PolicyRecord = Type.Object(
  {
    id: Id('the policy'),
    ...toPolicyFields([]),
    data_category: Category,
    is_active: Flag,
    last_run_at: nullable(Moment('When it last ran; dry runs do not count.', EXAMPLE)),
    created_at: Moment('When it was created.', EXAMPLE),
    updated_at: Moment('When it was last changed.', EXAMPLE),
  },
  {
    title: 'RetentionPolicy',
    description: 'How long records are kept, and what happens to them afterwards.',
  },
);

export const toPolicyRecord = ({
  isActive,
  lastRunAt,
  createdAt,
  updatedAt,
  ...policy
}: Policy) => ({
  ...toSnakeCase(policy),
  is_active: isActive ? 1 : 0,
  last_run_at: toIsoMomentOrNull(lastRunAt),
  created_at: toIsoMoment(createdAt),
  updated_at: toIsoMoment(updatedAt),
});

const AsOf = Moment('The moment as of which ages were calculated.', EXAMPLE);
export const dueFields = {
  due_before: Moment('Records whose age counts from before this moment are due.', EXAMPLE),
  records_affected: count('Records that were changed, or that a dry run would change.'),
  records_held: count('Due records that are protected by a legal hold.'),
};
export const asOfField = { as_of: AsOf };

export const PreviewRecord = Type.Object(
  {
    policy: PolicyRecord,
    ...asOfField,
    ...dueFields,
    records_affected: count('Records that are due by this policy on its own.'),
    oldest: nullable(Moment('The moment from which the age of the oldest one counts.', EXAMPLE)),
    ages: Type.Array(
      Type.Object({
        from_days: Type.Integer(),
        to_days: nullable(Type.Integer()),
        records: Type.Integer(),
      }),
      { description: 'The records by the number of days that they have been due.' },
    ),
    sample_ids: Type.Array(Type.Integer(), { description: 'Up to ten ids.' }),
  },
  { title: 'RetentionPreview' },
);

export const toPreviewRecord = (policy: Policy, preview: Preview) => ({
  ...toSnakeCase(preview),
  policy: toPolicyRecord(policy),
  as_of: toIsoMoment(preview.asOf),
  due_before: toIsoMoment(preview.dueBefore),
  oldest: toIsoMomentOrNull(preview.oldest),
  ages: preview.ages.map(toSnakeCase),
});

export const CategoryRecord = Type.Object(
  {
    slug: Category,
    label: Type.String(),
    counted_from: Type.String({ description: 'The field from which the age of a record counts.' }),
  },
  { title: 'RetentionCategory' },
);

export const toCategoryRecord = ({
  category,
  label,
  due,
}: PersonalDataDeclaration & { due: string }) => ({ slug: category, label, counted_from: due });
