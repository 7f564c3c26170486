import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { clearable, Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { paginationArgs } from '../../platform/rest/pagination.ts';
import type { CaseEvent } from './cases/history/store.ts';
import { CASE_ORDERS } from './cases/queue/store.ts';
import type { Dsar } from './context.ts';
import {
  CASE_STATUSES,
  CHANNELS,
  daysBetween,
  GROUNDS,
  LINK_PURPOSES,
  REGIME_NAMES,
  REQUEST_TYPES,
  statusLabel,
} from './rules.ts';
import type { Case } from './store.ts';

const Day = Type.String({ format: 'date', examples: ['2026-12-21'] });
const Time = (description: string) =>
  Type.String({ description, examples: ['2026-11-21 09:30:00'] });
const Token = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'The value of `token` in the emailed link.',
});

const requestType = OneOf(REQUEST_TYPES, { description: 'The right that is exercised.' });

/** Names and text: absent, empty or null is none. */
const optionalText = (maxLength: number, description: string) =>
  clearable(Text(maxLength, { minLength: 0, description }));

export const IntakeType = Type.Object({ request_type: requestType });
export const IntakeEmail = Type.Object({ email: Type.String() });
export const IntakeRest = Type.Object({
  first_name: optionalText(100, 'Of the data subject.'),
  last_name: optionalText(100, 'Of the data subject.'),
  additional_info: optionalText(5_000, 'Further details of the request.'),
  visitor_id: optionalText(
    128,
    'The visitor id of the browser’s consent records. An administrator must check that it belongs to the requester; send `visitor_token` to prove it instead.',
  ),
  visitor_token: optionalText(
    1_000,
    'From `POST /consent`: proves that the visitor id belongs to the requester.',
  ),
  language: optionalText(
    35,
    'The language of the emails: `en` or `de`. Defaults to Accept-Language.',
  ),
});
/** The three in the order in which they are read: it decides which of several errors is answered. */
export const IntakeArgs = Type.Object(
  {
    ...IntakeType.properties,
    ...IntakeEmail.properties,
    ...IntakeRest.properties,
  },
  {
    title: 'DsarIntakeRequest',
    examples: [{ request_type: 'access', email: 'ada@example.com', first_name: 'Ada' }],
  },
);

export const IntakeHeaders = Type.Object({
  'X-PV-HP-Check': Type.Optional(
    Type.String({
      maxLength: 0,
      description:
        'A honeypot: do not send it. A non-empty value is answered with 400 `spam_detected`.',
    }),
  ),
});

export const IntakeAnswer = Type.Object(
  {
    id: Type.Integer(),
    reference: Type.String({ examples: ['DSR-20261121-7K2M9Q'] }),
    deadline_date: Day,
    message: Type.String(),
  },
  { title: 'DsarIntake', description: 'A request that was received.' },
);

export const toIntakeAnswer = ({ id, reference, deadline }: Case) => ({
  id,
  reference,
  deadline_date: deadline,
  message:
    'Your request has been received. An acknowledgement email follows within an hour. Confirm your email address with the link in it.',
});

export const StatusArgs = Type.Object(
  { reference: Type.String(), email: Type.String() },
  {
    title: 'DsarReference',
    examples: [{ reference: 'DSR-20261121-7K2M9Q', email: 'ada@example.com' }],
  },
);

const publicFields = {
  reference: Type.String({ examples: ['DSR-20261121-7K2M9Q'] }),
  request_type: requestType,
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

/** A request that was entered later than it was received has no time of day. */
const submittedAt = ({ receivedAt, receivedOn }: Case, { dayOf, timeOf }: Zone): string =>
  dayOf(receivedAt) === receivedOn ? timeOf(receivedAt) : `${receivedOn} 00:00:00`;

type Zone = Pick<Dsar, 'dayOf' | 'timeOf'>;

export const toCaseStatus = (dsarCase: Case, dsar: Zone) => ({
  reference: dsarCase.reference,
  request_type: dsarCase.requestType,
  status: dsarCase.status,
  status_label: statusLabel(dsarCase.status),
  deadline: dsarCase.deadline,
  submitted: submittedAt(dsarCase, dsar),
  completed: dsarCase.closedAt === null ? null : dsar.timeOf(dsarCase.closedAt),
});

export const Zip = Type.String({
  contentMediaType: 'application/zip',
  description:
    'A readable page, JSON and CSV files per source, and a manifest with SHA-256 hashes.',
});

export const WithdrawalAnswer = Type.Object(
  { message: Type.String() },
  { title: 'DsarWithdrawal', description: 'The link to withdraw a request was emailed.' },
);

export const withdrawalAnswer = {
  message: 'An email with a link that withdraws the request has been sent to its address.',
};

export const TokenArgs = Type.Object(
  { token: Token },
  { title: 'DsarToken', examples: [{ token: 'pW1mPq0b3uX9yR2cT7vK5sN8dF4gH6jL1zA0xC9vB3M' }] },
);

export const text = nullable(Type.String());

export const CaseRecord = Type.Object(
  {
    id: Type.Integer(),
    ...publicFields,
    first_name: text,
    last_name: text,
    email: text,
    additional_info: text,
    visitor_id: nullable(
      Type.String({
        description: 'Proven to belong to the requester by token, cookie or a check.',
      }),
    ),
    visitor_claim: nullable(
      Type.String({
        description: 'Stated by the requester. Not used unless an administrator accepts it.',
      }),
    ),
    language: Type.String(),
    channel: OneOf(CHANNELS, { description: 'How the request was received.' }),
    received_on: Day,
    postal_address: text,
    phone: text,
    representative: nullable(
      Type.String({
        description: 'The person who made the request on behalf of the data subject.',
      }),
    ),
    identity_proof: nullable(Type.String({ description: 'How the identity was verified.' })),
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
  dsar: Pick<Dsar, 'platform' | 'dayOf' | 'timeOf'>,
): Static<typeof CaseRecord> {
  const { closedAt, deadline, pausedOn } = dsarCase;
  const from = pausedOn ?? dsar.dayOf(dsar.platform.clock.now());
  const daysLeft = closedAt === null ? daysBetween(from, deadline) : null;
  return {
    id: dsarCase.id,
    ...toCaseStatus(dsarCase, dsar),
    first_name: dsarCase.firstName,
    last_name: dsarCase.lastName,
    email: dsarCase.email,
    additional_info: dsarCase.additionalInfo,
    visitor_id: dsarCase.visitorId,
    visitor_claim: dsarCase.visitorClaim,
    language: dsarCase.language,
    channel: dsarCase.channel,
    received_on: dsarCase.receivedOn,
    postal_address: dsarCase.postalAddress,
    phone: dsarCase.phone,
    representative: dsarCase.representative,
    identity_proof: dsarCase.identityProof,
    regime: dsarCase.regime,
    verified_at: dsarCase.verifiedAt === null ? null : dsar.timeOf(dsarCase.verifiedAt),
    assignee: dsarCase.assignee,
    ground: dsarCase.ground as Static<typeof CaseRecord>['ground'],
    extended: dsarCase.extendedAt !== null,
    overdue: daysLeft !== null && daysLeft < 0,
    days_left: daysLeft,
    paused_since: dsarCase.pausedOn,
    paused_days: dsarCase.pausedDays,
    duplicate_of: dsarCase.duplicateOf,
  };
}

export const CaseCreation = Type.Object(
  {
    request_type: requestType,
    channel: OneOf(CHANNELS, { description: 'How the request was received.' }),
    received_on: Type.String({
      format: 'date',
      description:
        'The day of receipt in the time zone of the site. The deadline is counted from it (GDPR Art. 12(3)).',
    }),
    first_name: optionalText(100, 'Of the data subject.'),
    last_name: optionalText(100, 'Of the data subject.'),
    email: optionalText(
      1_000,
      'Without one no emails are sent, and `postal_address` or `phone` is required.',
    ),
    postal_address: optionalText(500, 'Where the answer is sent.'),
    phone: optionalText(50, 'A telephone number.'),
    representative: optionalText(
      200,
      'The person who made the request on behalf of the data subject. Required for the channel `representative`.',
    ),
    verified: Type.Boolean({
      default: false,
      description:
        'Whether the identity is verified. If true, work starts at once and no confirmation link is sent.',
    }),
    identity_proof: optionalText(
      5_000,
      'How the identity was verified. Required if `verified` is true.',
    ),
    additional_info: optionalText(5_000, 'What the data subject requests.'),
    language: optionalText(35, 'The language of the emails: `en` (default) or `de`.'),
  },
  {
    title: 'DsarCaseCreation',
    examples: [
      {
        request_type: 'access',
        channel: 'letter',
        received_on: '2026-11-20',
        last_name: 'Lovelace',
        postal_address: '1 High Street, London',
      },
    ],
  },
);

export const CaseQuery = Type.Object({
  status: Type.Optional(OneOf(CASE_STATUSES)),
  request_type: Type.Optional(requestType),
  orderby: OneOf(CASE_ORDERS, {
    default: 'deadline',
    description: 'What to sort by. With `deadline`, open requests come before closed ones.',
  }),
  order: OneOf(['asc', 'desc'], { default: 'asc', description: 'The sort direction.' }),
  overdue: Type.Optional(
    Type.Boolean({ description: 'Whether the request is open and past its deadline.' }),
  ),
  search: Type.Optional(
    Text(200, { minLength: 0, description: 'Part of a reference, name or address.' }),
  ),
  assignee: Type.Optional(
    Text(100, { minLength: 0, description: 'A login; empty for unassigned requests.' }),
  ),
  ...paginationArgs(),
});

const Reason = Text(5_000, { description: 'Included in the email to the requester.' });

export const CaseUpdateArgs = Type.Object(
  {
    status: Type.Optional(OneOf(CASE_STATUSES)),
    reason: Type.Optional(Reason),
    ground: Type.Optional(
      OneOf(GROUNDS, {
        description:
          'The ground for a hold (`identity` pauses the deadline) or for a refusal, where it must fit the type of request.',
      }),
    ),
    assignee: clearable(
      Text(100, { description: 'The login of a user who may handle requests; null to unassign.' }),
    ),
    extend: Type.Optional(Type.Object({ reason: Reason })),
  },
  { title: 'DsarCaseUpdate', examples: [{ assignee: 'ada' }] },
);

export const NewLinkArgs = Type.Object(
  {
    purpose: OneOf(LINK_PURPOSES, {
      description:
        '`confirm` for an open request with an unconfirmed address, `download` for a completed request with a package. Earlier links stop working.',
    }),
  },
  { title: 'DsarLinkRequest', examples: [{ purpose: 'confirm' }] },
);

export const SentLink = Type.Object(
  {
    purpose: OneOf(LINK_PURPOSES),
    expires_at: Moment('When the link stops working.', '2026-11-28T09:30:00.000Z'),
  },
  { title: 'DsarLink', description: 'A link that was emailed to the requester.' },
);

export const NoteArgs = Type.Object(
  { note: Text(5_000) },
  { title: 'DsarNote', examples: [{ note: 'Asked the shop for the invoices.' }] },
);

export const EXAMPLE = '2026-11-21T09:30:00.000Z';

export const CaseEventRecord = Type.Object(
  {
    id: Type.Integer(),
    at: Moment('When it happened.', EXAMPLE),
    actor: Type.String({ description: 'A login, `requestor` or `system`.' }),
    action: Type.String({ examples: ['status_changed'] }),
    details: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'DsarEvent', description: 'An entry in the activity of a request.' },
);

export const toEventRecord = ({ at, ...event }: CaseEvent) => ({ ...event, at: toIsoMoment(at) });

export const MetricsQuery = Type.Object({
  date_from: Type.Optional(Day),
  date_to: Type.Optional(Day),
});

const counts = {
  received: Type.Integer(),
  open: Type.Integer(),
  overdue: Type.Integer(),
  completed: Type.Integer(),
  rejected: Type.Integer(),
  withdrawn: Type.Integer(),
  deleted: Type.Integer({ description: 'Requests that were deleted later.' }),
  median_days: nullable(
    Type.Number({ description: 'Median days from receipt to completion or refusal.' }),
  ),
};

export const Metrics = Type.Object(
  { ...counts, by_type: Type.Record(Type.String(), Type.Object(counts)) },
  { title: 'DsarMetrics', description: 'Figures on the requests received in a period.' },
);
