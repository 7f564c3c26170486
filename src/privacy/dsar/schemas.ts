import { type Static, Type } from 'typebox';
import { toRecord } from '../../platform/http/record.ts';
import { clearable, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { toCamelCase } from '../../platform/key-case.ts';
import type { Dsar } from './context.ts';
import {
  CASE_STATUSES,
  CHANNELS,
  countDays,
  formatStatus,
  GROUNDS,
  REGIME_NAMES,
  REQUEST_TYPES,
} from './rules.ts';
import type { Case } from './store.ts';

/** The moment that examples use. */
export const EXAMPLE = '2026-11-21T09:30:00.000Z';

export const Day = Type.String({ format: 'date', examples: ['2026-12-21'] });
export const Channel = OneOf(CHANNELS, { description: 'How the request was received.' });
export const RequestTypeName = OneOf(REQUEST_TYPES, {
  description: 'The right that is exercised.',
});
export const text = nullable(Type.String());
export const describedText = (description: string) => nullable(Type.String({ description }));

/** An optional text of a request; null or an empty text is the same as none. */
export const optionalText = (maxLength: number, description: string) =>
  clearable(Text(maxLength, { minLength: 0, description }));

const Time = (description: string) =>
  Type.String({ description, examples: ['2026-11-21 09:30:00'] });

const publicFields = {
  reference: Type.String({ examples: ['DSR-20261121-7K2M9Q'] }),
  request_type: RequestTypeName,
  status: OneOf(CASE_STATUSES),
  status_label: Type.String({ examples: ['In Progress'] }),
  deadline: Day,
  submitted: Time('When it was received, in the time zone of the site.'),
  completed: nullable(Time('When it was closed, in the time zone of the site.')),
};

export const CaseStatusRecord = Type.Object(publicFields, {
  title: 'DsarStatus',
  description: 'The status of a request.',
});

type Zone = Pick<Dsar, 'formatDay' | 'formatTime'>;

export const toCaseStatus = (dsarCase: Case, { formatDay, formatTime }: Zone) => {
  const { reference, requestType, status, deadline, receivedAt, receivedOn, closedAt } = dsarCase;
  return {
    reference,
    request_type: requestType,
    status,
    status_label: formatStatus(status),
    deadline,
    // A request that was entered after its day of receipt has no time of day.
    submitted:
      formatDay(receivedAt) === receivedOn ? formatTime(receivedAt) : `${receivedOn} 00:00:00`,
    completed: closedAt === null ? null : formatTime(closedAt),
  };
};

export const CaseRecord = Type.Object(
  {
    id: Type.Integer(),
    ...publicFields,
    first_name: text,
    last_name: text,
    email: text,
    additional_info: text,
    visitor_id: describedText('Proven to belong to the requester by token, cookie or a check.'),
    visitor_claim: describedText(
      'Stated by the requester. Not used unless an administrator accepts it: it becomes `visitor_id`, or is used besides one that is proven.',
    ),
    language: Type.String(),
    channel: Channel,
    received_on: Day,
    postal_address: text,
    phone: text,
    representative: describedText('The person who made the request on behalf of the data subject.'),
    identity_proof: describedText('How the identity was verified.'),
    regime: OneOf(REGIME_NAMES),
    verified_at: nullable(Time('When the email address was confirmed or the identity verified.')),
    assignee: text,
    ground: nullable(OneOf(GROUNDS)),
    extended: Type.Boolean(),
    overdue: Type.Boolean({ description: 'Whether the request is open and past its deadline.' }),
    days_left: nullable(
      Type.Integer({
        description:
          'Days until the deadline, negative once it has passed. While the deadline is paused, counted from the day it was paused. Null for a closed request.',
      }),
    ),
    paused_since: nullable(Day),
    paused_days: Type.Integer(),
    duplicate_of: nullable(
      Type.Integer({
        description: 'The id of an earlier open request of the same type from the same address.',
      }),
    ),
  },
  { title: 'DsarCase', description: 'A request of a data subject.' },
);

export function toCaseRecord(
  dsarCase: Case,
  dsar: Zone & Pick<Dsar, 'platform'>,
): Static<typeof CaseRecord> {
  const { closedAt, deadline, pausedOn, verifiedAt } = dsarCase;
  const from = pausedOn ?? dsar.formatDay(dsar.platform.clock.now());
  const daysLeft = closedAt === null ? countDays(from, deadline) : null;
  return toRecord(CaseRecord, {
    ...dsarCase,
    ...toCamelCase(toCaseStatus(dsarCase, dsar)),
    verifiedAt: verifiedAt === null ? null : dsar.formatTime(verifiedAt),
    extended: dsarCase.extendedAt !== null,
    overdue: daysLeft !== null && daysLeft < 0,
    daysLeft,
    pausedSince: pausedOn,
  });
}
