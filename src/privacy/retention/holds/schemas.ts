import { Type } from 'typebox';
import type { LegalHold } from '../../../personal-data/index.ts';
import { toIsoMoment } from '../../../platform/clock.ts';
import { Moment, NonBlankText, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import { toSnakeCase } from '../../../platform/key-case.ts';
import { paginationArgs } from '../../../platform/rest/pagination.ts';
import { Category, EXAMPLE, Id } from '../schemas.ts';

export const holdCreation = (categories: readonly string[]) =>
  Type.Object(
    {
      data_category: OneOf(categories, { description: 'The category of the records.' }),
      record_id: Type.Optional(
        nullable(
          Type.Integer({
            minimum: 1,
            description: 'One record. Without it, the hold covers the whole category.',
          }),
        ),
      ),
      reason: NonBlankText(200, {
        description: 'Why the data must be kept. Do not name a person.',
      }),
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
    record_id: nullable(Id('the record; null for the whole category')),
    reason: Type.String(),
    placed_by: Type.String({ description: 'The login of the user who placed it.' }),
    created_at: Moment('When it was placed.', EXAMPLE),
    lifted_at: nullable(Moment('When it was lifted; null while it is active.', EXAMPLE)),
    lifted_by: nullable(Type.String({ description: 'The login of the user who lifted it.' })),
    lifted_reason: nullable(
      Type.String({ description: 'Why it was lifted, if a reason was given.' }),
    ),
  },
  {
    title: 'RetentionHold',
    description: 'A legal hold: it protects records from retention policies and erasures.',
  },
);

export const toHoldRecord = ({ createdAt, lifted, ...hold }: LegalHold) => ({
  ...toSnakeCase(hold),
  created_at: toIsoMoment(createdAt),
  lifted_at: lifted && toIsoMoment(lifted.at),
  lifted_by: lifted?.by ?? null,
  lifted_reason: lifted?.reason ?? null,
});

export const HoldQuery = Type.Object({
  status: OneOf(['active', 'lifted'], {
    description: 'Whether to list active or lifted holds.',
    default: 'active',
  }),
  ...paginationArgs(),
});

export const LiftArgs = Type.Object(
  {
    reason: Type.Optional(
      Text(200, {
        description:
          'Why the hold is lifted. Recommended. It is kept in the change history, so do not name a person.',
      }),
    ),
  },
  { title: 'RetentionHoldLift' },
);
