import type { IncomingHttpHeaders } from 'node:http';
import type { Static } from 'typebox';
import { readEmail } from '../../../platform/email-address.ts';
import { DomainError, NotFoundError } from '../../../platform/errors.ts';
import { invalidParam, RestError } from '../../../platform/rest/errors.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { requestWithdrawal, withdraw } from '../cases/withdrawal.ts';
import { assertWithinRateLimit, type Dsar } from '../context.ts';
import { downloadPackage, invalidLinkError } from '../export/download.ts';
import { findLanguage } from '../messages/index.ts';
import { isClosed } from '../rules.ts';
import {
  CaseStatusRecord,
  IntakeAnswer,
  IntakeArgs,
  IntakeEmail,
  IntakeHeaders,
  IntakeRest,
  IntakeType,
  StatusArgs,
  TokenArgs,
  toCaseStatus,
  toIntakeAnswer,
  WithdrawalAnswer,
  withdrawalAnswer,
  Zip,
} from '../schemas.ts';
import type { Case } from '../store.ts';
import { confirmAddress, createRequest, findCaseOfRequester, isEnabled } from './intake.ts';
import { findVisitor } from './visitor.ts';

/** Carries a form field that people do not see and bots fill in. */
const HONEYPOT = 'x-pv-hp-check';

/** The public routes: send a request, check its status and use the links that were emailed. */
export function publicRoutes(api: RestApi, dsar: Dsar): void {
  api.add({
    method: 'POST',
    path: '/dsar/intake',
    access: 'public',
    summary: 'Create a privacy request as a data subject',
    args: IntakeArgs,
    requestHeaders: IntakeHeaders,
    readsItself: true,
    answers: { 201: IntakeAnswer },
    refusals: { 422: 'invalid_email', 429: 'rate_limited' },
    async handle({ headers, client, read }) {
      if (!(await isEnabled(dsar))) throw formClosed();
      assertHoneypotEmpty(headers);
      assertWithinRateLimit(dsar, 'intake', client());
      const { request_type: requestType } = read(IntakeType);
      const email = readAddress(() => read(IntakeEmail).email);
      const rest = read(IntakeRest);
      const dsarCase = await createRequest(dsar, {
        requestType,
        email,
        firstName: rest.first_name?.trim() || null,
        lastName: rest.last_name?.trim() || null,
        additionalInfo: rest.additional_info?.trim() || null,
        visitor: await readVisitor(rest, headers),
        language: findLanguage(rest.language || headers['accept-language']),
        from: client(),
      });
      return { status: 201, body: toIntakeAnswer(dsarCase) };
    },
  });
  /** @throws RestError 400 `rest_invalid_param` for an invalid or expired token */
  async function readVisitor(rest: Static<typeof IntakeRest>, headers: IncomingHttpHeaders) {
    const { visitor_token: token, visitor_id: id } = rest;
    if (token && (await dsar.site.readVisitorToken(token)) === undefined) {
      const message =
        'visitor_token is invalid or has expired. Omit it, and send visitor_id if you know it.';
      throw invalidParam('visitor_token', message);
    }
    return findVisitor(dsar, { token: token ?? undefined, id: id ?? undefined }, headers);
  }

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
    path: '/dsar/verify',
    access: 'public',
    summary: 'Confirm an email address with the emailed link',
    args: TokenArgs,
    answers: { 200: CaseStatusRecord },
    refusals: { 404: 'not_found', 429: 'rate_limited' },
    async handle({ args, client }) {
      assertWithinRateLimit(dsar, 'verify', client());
      const dsarCase = await confirmAddress(dsar, args.token);
      if (!dsarCase) throw new DomainError('not_found', 'not_found', LINK_INVALID);
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
    refusals: { 404: 'not_found', 409: 'invalid_transition', 429: 'rate_limited' },
    async handle({ args, client }) {
      assertWithinRateLimit(dsar, 'status', client());
      const dsarCase = await requestWithdrawal(dsar, args);
      if (!dsarCase) throw unknownCase();
      if (isClosed(dsarCase.status)) throw notWithdrawable(dsarCase);
      return { status: 202, body: withdrawalAnswer };
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/withdraw/confirm',
    access: 'public',
    summary: 'Withdraw a request with the emailed link',
    args: TokenArgs,
    answers: { 200: CaseStatusRecord },
    refusals: { 404: 'not_found', 429: 'rate_limited' },
    async handle({ args, client }) {
      assertWithinRateLimit(dsar, 'withdraw', client());
      const dsarCase = await withdraw(dsar, args.token);
      if (!dsarCase) throw new NotFoundError('An open request for this link');
      return { body: toCaseStatus(dsarCase, dsar) };
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/package',
    access: 'public',
    summary: 'Download a package with the emailed link, once',
    args: TokenArgs,
    answers: { 200: Zip },
    refusals: { 404: 'not_found', 429: 'rate_limited' },
    async handle({ args, client }) {
      assertWithinRateLimit(dsar, 'package', client());
      const opened = await downloadPackage(dsar, args.token);
      if (typeof opened === 'string') throw invalidLinkError(opened);
      return packageAnswer(opened);
    },
  });
}

/** The same for every mismatch of reference and address. */
const unknownCase = () => new NotFoundError('A request with this reference and email address');

const formClosed = () =>
  new DomainError(
    'unavailable',
    'dsar_disabled',
    'This site does not accept requests through this form at the moment.',
  );

const LINK_INVALID =
  'This link no longer works: it was used, replaced by a newer one, or is older than seven days.';

const notWithdrawable = ({ status }: Case) =>
  new DomainError(
    'conflict',
    'invalid_transition',
    `The request is ${status}: only open requests can be withdrawn.`,
  );

/** A package as a download. */
export const packageAnswer = ({ reference, content }: { reference: string; content: Buffer }) => ({
  raw: { contentType: 'application/zip', text: content },
  headers: { 'content-disposition': `attachment; filename="${reference}.zip"` },
});

/** @throws DomainError 400 `spam_detected`. A form that sends all of its fields sends an empty header. */
function assertHoneypotEmpty(headers: IncomingHttpHeaders): void {
  const value = headers[HONEYPOT];
  if (value === undefined || String(value).trim() === '') return;
  throw new DomainError(
    'invalid',
    'spam_detected',
    'The request was classified as spam. Do not send the X-PV-HP-Check header.',
  );
}

/** @throws RestError 422 `invalid_email` for one that is missing, malformed or not a string */
function readAddress(read: () => string): string {
  let given = '';
  try {
    given = read();
  } catch {
    // Other parameters are answered with 400; the contract has 422 for the address.
  }
  const address = readEmail(given);
  if (address !== undefined) return address;
  const message = 'email must be an email address that receives mail, for example ada@example.com.';
  throw new RestError(422, 'invalid_email', message);
}
