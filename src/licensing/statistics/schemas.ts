import { Type } from 'typebox';
import { OneOf, Text } from '../../platform/http/schemas.ts';
import { COUNTED_RESULTS, type CountedResult } from '../validation/index.ts';

const DAYS_MAX = 366;

export const LicenceStatisticsArgs = Type.Object({
  days: Type.Integer({
    minimum: 1,
    maximum: DAYS_MAX,
    default: 30,
    description: 'The number of days, today included. Days are in UTC.',
  }),
  product: Type.Optional(Text(64, { description: 'The slug of a product. Default: all.' })),
  mode: OneOf(['live', 'test'], { default: 'live' }),
});

const DESCRIPTIONS: Record<CountedResult, string> = {
  active: 'The site is activated.',
  grace: 'The site is activated, and the grace period runs.',
  not_activated: 'The site is not activated, and can be.',
  limit_reached: 'The site is not activated, and all slots are in use.',
  expired: 'The licence has expired.',
  suspended: 'The licence is suspended.',
  revoked: 'The licence is revoked.',
  unknown_key: 'No licence has the key, or it belongs to another product. Counted for all modes.',
};

const validations = (description: string) =>
  Type.Object(
    Object.fromEntries(
      COUNTED_RESULTS.map((result) => [
        result,
        Type.Integer({ description: DESCRIPTIONS[result] }),
      ]),
    ) as Record<CountedResult, ReturnType<typeof Type.Integer>>,
    { description },
  );

const active = Type.Integer({
  description:
    'Licences that were issued and are not revoked, suspended or past the end of their grace period. A late renewal and a reinstatement also count for the days before.',
});
const suspended = Type.Integer({
  description: 'Licences that are suspended and would otherwise be active.',
});
const issued = Type.Integer({
  description: 'Licences that were issued. A renewal is not a new licence.',
});
const churned = Type.Integer({
  description:
    'Licences that were revoked, or whose grace period ended, and that have not been renewed since.',
});
const failures = Type.Integer({
  description:
    'Webhook deliveries of all events that have failed for good, by their last attempt. Deliveries older than the retention of webhook events are not counted.',
});

export const LicenceStatistics = Type.Object(
  {
    from: Type.String({ format: 'date', description: 'The first day.' }),
    to: Type.String({ format: 'date', description: 'The last day: today.' }),
    active,
    suspended,
    new: issued,
    churned,
    validations: validations(
      'Requests to validate by result. They are written every ten seconds, and kept for 25 months.',
    ),
    webhook_failures: failures,
    daily: Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date' }),
          active: Type.Integer({ description: 'At the end of the day; today: now.' }),
          suspended: Type.Integer({ description: 'At the end of the day; today: now.' }),
          new: Type.Integer(),
          churned: Type.Integer(),
          validations: validations('Requests to validate by result.'),
          webhook_failures: Type.Integer(),
        },
        { title: 'LicenceStatisticsDay' },
      ),
      { description: 'One entry for each day, oldest first.' },
    ),
  },
  { title: 'LicenceStatistics' },
);
