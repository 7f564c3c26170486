import type { IncomingHttpHeaders } from 'node:http';
import type { Static } from 'typebox';
import { readEmail } from '../../../platform/email-address.ts';
import {
  ApiError,
  DomainError,
  InvalidFieldError,
  NotFoundError,
} from '../../../platform/errors.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { requestWithdrawal } from '../cases/withdrawal.ts';
import { assertWithinRateLimit, type Dsar } from '../context.ts';
import { findLanguage } from '../messages/index.ts';
import { isClosed } from '../rules.ts';
import { CaseStatusRecord, toCaseStatus } from '../schemas.ts';
import { createRequest, findCaseOfRequester, isEnabled } from './intake.ts';
import {
  IntakeAnswer,
  IntakeArgs,
  IntakeEmail,
  IntakeHeaders,
  IntakeRest,
  IntakeType,
  StatusArgs,
  toIntakeAnswer,
  WithdrawalAnswer,
} from './schemas.ts';
import { findVisitor } from './visitor.ts';

const DISABLED = 'This site does not accept requests through this form at the moment.';
const INVALID_EMAIL =
  'email must be an email address that receives mail, for example ada@example.com.';

/** Carries a form field that people do not see and bots fill in. */
const HONEYPOT = 'x-pv-hp-check';

/** Public routes that need no emailed link: send a request, check its status, ask to withdraw it. */
export function intakeRoutes(api: RestApi, dsar: Dsar): void {
  api.add({
    method: 'POST',
    path: '/dsar/intake',
    access: 'public',
    summary: 'Create a privacy request as a data subject',
    args: IntakeArgs,
    requestHeaders: IntakeHeaders,
    readsItself: true,
    answers: { 201: IntakeAnswer },
    refusals: {
      422: {
        invalid_email: INVALID_EMAIL,
      },
      429: 'rate_limited',
      503: { dsar_disabled: DISABLED },
    },
    async handle({ headers, client, read }) {
      if (!(await isEnabled(dsar))) {
        throw new DomainError('unavailable', 'dsar_disabled', DISABLED);
      }
      assertHoneypotEmpty(headers);
      assertWithinRateLimit(dsar, 'intake', client());
      const { request_type: requestType } = await read(IntakeType);
      const email = await readAddress(async () => (await read(IntakeEmail)).email);
      const rest = await read(IntakeRest);
      const dsarCase = await createRequest(dsar, {
        requestType,
        email,
        firstName: rest.first_name?.trim() || null,
        lastName: rest.last_name?.trim() || null,
        additionalInfo: rest.additional_info?.trim() || null,
        visitor: await readVisitor(dsar, rest, headers),
        language: findLanguage(rest.language || headers['accept-language']),
        from: client(),
      });
      return { status: 201, body: toIntakeAnswer(dsarCase) };
    },
  });

  api.add({
    method: 'GET',
    path: '/dsar/status',
    access: 'public',
    summary: 'Get the status of a request by reference and email address',
    args: StatusArgs,
    answers: { 200: CaseStatusRecord },
    refusals: { 404: 'not_found', 429: 'rate_limited' },
    async handle({ args, client }) {
      assertWithinRateLimit(dsar, 'status', client());
      const dsarCase = await findCaseOfRequester(dsar, args);
      if (!dsarCase) throw unknownCase();
      return { body: toCaseStatus(dsarCase, dsar) };
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/withdraw',
    access: 'public',
    summary: 'Send a link that withdraws a request',
    args: StatusArgs,
    answers: { 202: WithdrawalAnswer },
    refusals: {
      404: 'not_found',
      409: { invalid_transition: 'The request is completed: only open requests can be withdrawn.' },
      429: 'rate_limited',
    },
    async handle({ args, client }) {
      assertWithinRateLimit(dsar, 'status', client());
      const dsarCase = await requestWithdrawal(dsar, args);
      if (!dsarCase) throw unknownCase();
      if (isClosed(dsarCase.status)) {
        const message = `The request is ${dsarCase.status}: only open requests can be withdrawn.`;
        throw new DomainError('conflict', 'invalid_transition', message);
      }
      const message =
        'An email with a link that withdraws the request has been sent to its address.';
      return { status: 202, body: { message } };
    },
  });
}

/** The same for every mismatch of reference and address. */
const unknownCase = () => new NotFoundError('A request with this reference and email address');

/** @throws DomainError 400 `spam_detected`. A form that sends all of its fields sends an empty header. */
function assertHoneypotEmpty(headers: IncomingHttpHeaders): void {
  if (!String(headers[HONEYPOT] ?? '').trim()) return;
  const message = 'The request was classified as spam. Do not send the X-PV-HP-Check header.';
  throw new DomainError('invalid', 'spam_detected', message);
}

/** @throws InvalidFieldError for an invalid or expired token */
async function readVisitor(
  dsar: Dsar,
  { visitor_token: token, visitor_id: id }: Static<typeof IntakeRest>,
  headers: IncomingHttpHeaders,
) {
  if (token && (await dsar.site.readVisitorToken(token)) === undefined) {
    const message =
      'visitor_token is invalid or has expired. Omit it, and send visitor_id if you know it.';
    throw new InvalidFieldError('visitor_token', message);
  }
  return findVisitor(dsar, { token: token ?? undefined, id: id ?? undefined }, headers);
}

/** @throws ApiError 422 `invalid_email` for one that is missing, malformed or not a string */
async function readAddress(read: () => Promise<string>): Promise<string> {
  let given = '';
  try {
    given = await read();
  } catch {
    // Other parameters are answered with 400; the contract has 422 for the address.
  }
  const address = readEmail(given);
  if (address !== undefined) return address;
  throw new ApiError(422, 'invalid_email', INVALID_EMAIL);
}
