import { Type } from 'typebox';
import { Day, optionalText, RequestTypeName } from '../schemas.ts';
import type { Case } from '../store.ts';

const Reference = Type.String({ examples: ['DSR-20261121-7K2M9Q'] });

export const IntakeType = Type.Object({ request_type: RequestTypeName });
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
    'The language of the emails: `de`, or `en` (also for other languages). Defaults to Accept-Language.',
  ),
});
/** The parts are validated in this order, which decides the error that is returned first. */
export const IntakeArgs = Type.Object(
  { ...IntakeType.properties, ...IntakeEmail.properties, ...IntakeRest.properties },
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
  { id: Type.Integer(), reference: Reference, deadline_date: Day, message: Type.String() },
  { title: 'DsarIntake', description: 'A request that was received.' },
);

export const toIntakeAnswer = ({ id, reference, deadline, status }: Case) => ({
  id,
  reference,
  deadline_date: deadline,
  message: [
    'Your request has been received. An acknowledgement email follows within an hour.',
    ...(status === 'received' ? ['Confirm your email address with the link in it.'] : []),
  ].join(' '),
});

export const StatusArgs = Type.Object(
  { reference: Type.String(), email: Type.String() },
  {
    title: 'DsarReference',
    examples: [{ reference: 'DSR-20261121-7K2M9Q', email: 'ada@example.com' }],
  },
);

export const Zip = Type.String({
  contentMediaType: 'application/zip',
  description:
    'A readable page, JSON and CSV files per source, and a manifest with SHA-256 hashes.',
});

export const WithdrawalAnswer = Type.Object(
  { message: Type.String() },
  { title: 'DsarWithdrawal', description: 'The link to withdraw a request was emailed.' },
);

export const TokenArgs = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[A-Za-z0-9_-]+$',
      description: 'The value of `token` in the emailed link.',
    }),
  },
  { title: 'DsarToken', examples: [{ token: 'pW1mPq0b3uX9yR2cT7vK5sN8dF4gH6jL1zA0xC9vB3M' }] },
);
