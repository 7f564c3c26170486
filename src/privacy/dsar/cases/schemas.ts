import { Type } from 'typebox';
import { clearable, Moment, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import { paginationArgs } from '../../../platform/rest/pagination.ts';
import { CASE_STATUSES, GROUNDS, LINK_PURPOSES } from '../rules.ts';
import { CaseRecord, Channel, Day, optionalText, RequestTypeName } from '../schemas.ts';
import { CASE_ORDERS } from './queue/store.ts';

export const CaseCreation = Type.Object(
  {
    request_type: RequestTypeName,
    channel: Channel,
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
    language: optionalText(
      35,
      'The language of the emails: `de`, or `en` (default, also for other languages).',
    ),
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
  request_type: Type.Optional(RequestTypeName),
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

export const UpdatedCase = Type.Object(
  {
    ...CaseRecord.properties,
    letters: Type.Array(Type.Object({ subject: Type.String(), text: Type.String() }), {
      description:
        'What to send to a requester without an email address: the emails that the update would have sent. They are not stored.',
    }),
  },
  { title: 'DsarUpdatedCase', description: 'A request after an update.' },
);

export const NewLinkArgs = Type.Object(
  {
    purpose: OneOf(LINK_PURPOSES, {
      description:
        '`confirm` for an open request with an unconfirmed address, except an opt-out under the CCPA, which needs no confirmation; `download` for a completed request with a package. Earlier links stop working.',
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
