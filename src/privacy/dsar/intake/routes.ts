import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject } from 'typebox';
import { readEmail } from '../../../platform/email-address.ts';
import { invalidParam, notFound, RestError } from '../../../platform/rest/errors.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { requestWithdrawal, withdraw } from '../cases/withdrawal.ts';
import type { Dsar } from '../context.ts';
import { downloadPackage } from '../export/packages.ts';
import { languageOf } from '../messages/index.ts';
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
import { assertEnabled, caseOf, confirmAddress, takeIn } from './intake.ts';
import { findVisitor } from './visitor.ts';

/** A field that people do not see and bots fill in is sent as this header. */
const TRAP = 'x-pv-hp-check';

/** What anybody may ask: to send a request, see how far it is, and use the links that were mailed. */
export function publicRoutes(api: RestApi, dsar: Dsar): void {
  const { assertCalm } = dsar;

  api.add({
    method: 'POST',
    path: '/dsar/intake',
    access: 'public',
    summary: 'Send a request as a data subject',
    args: IntakeArgs,
    requestHeaders: IntakeHeaders,
    readsItself: true,
    answers: { 201: IntakeAnswer },
    refusals: { 422: 'invalid_email', 429: 'rate_limited' },
    async handle({ headers, client, read }) {
      await assertEnabled(dsar);
      assertNoTrap(headers);
      assertCalm('intake', client());
      const { request_type: requestType } = read(IntakeType);
      const email = readAddress(read);
      const rest = read(IntakeRest);
      const dsarCase = await takeIn(dsar, {
        requestType,
        email,
        firstName: rest.first_name?.trim() || null,
        lastName: rest.last_name?.trim() || null,
        additionalInfo: rest.additional_info?.trim() || null,
        visitor: await visitorOf(rest, headers),
        language: languageOf(rest.language || headers['accept-language']),
        from: client(),
      });
      return { status: 201, body: toIntakeAnswer(dsarCase) };
    },
  });
  /** @throws RestError 400 `rest_invalid_param` for a token that shows nothing */
  async function visitorOf(rest: Static<typeof IntakeRest>, headers: IncomingHttpHeaders) {
    const { visitor_token: token, visitor_id: id } = rest;
    if (token && (await dsar.site.readVisitorToken(token)) === undefined) {
      const message =
        'visitor_token is not valid or has expired. Leave it out, and state visitor_id if you know it.';
      throw invalidParam('visitor_token', message);
    }
    return findVisitor(dsar, { token: token ?? undefined, id: id ?? undefined }, headers);
  }

  api.add({
    method: 'GET',
    path: '/dsar/status',
    access: 'public',
    summary: 'How far a request is, for whoever knows its reference and address',
    args: StatusArgs,
    answers: { 200: CaseStatusRecord },
    refusals: { 404: 'not_found', 429: 'rate_limited' },
    async handle({ args, client }) {
      assertCalm('status', client());
      const dsarCase = await caseOf(dsar, args);
      if (!dsarCase) throw noSuchCase();
      return { body: toCaseStatus(dsarCase, dsar) };
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/verify',
    access: 'public',
    summary: 'Confirm an address by the link that was mailed to it',
    args: TokenArgs,
    answers: { 200: CaseStatusRecord },
    refusals: { 404: 'not_found', 429: 'rate_limited' },
    async handle({ args, client }) {
      assertCalm('verify', client());
      return { body: toCaseStatus(await confirmAddress(dsar, args.token), dsar) };
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/withdraw',
    access: 'public',
    summary: 'Request a link that withdraws a request',
    args: StatusArgs,
    answers: { 202: WithdrawalAnswer },
    refusals: { 404: 'not_found', 409: 'invalid_transition', 429: 'rate_limited' },
    async handle({ args, client }) {
      assertCalm('status', client());
      if (!(await requestWithdrawal(dsar, args))) throw noSuchCase();
      return { status: 202, body: withdrawalAnswer };
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/withdraw/confirm',
    access: 'public',
    summary: 'Withdraw a request by the link that was mailed for it',
    args: TokenArgs,
    answers: { 200: CaseStatusRecord },
    refusals: { 404: 'not_found', 429: 'rate_limited' },
    async handle({ args, client }) {
      assertCalm('withdraw', client());
      return { body: toCaseStatus(await withdraw(dsar, args.token), dsar) };
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/package',
    access: 'public',
    summary: 'Get a package by the link that was mailed for it, once',
    args: TokenArgs,
    answers: { 200: Zip },
    refusals: { 404: 'not_found', 429: 'rate_limited' },
    async handle({ args, client }) {
      assertCalm('package', client());
      return packageAnswer(await downloadPackage(dsar, args.token));
    },
  });
}

/** The same for every mismatch, wherever reference and address are asked for. */
const noSuchCase = (): RestError => notFound('A request with this reference and e-mail address');

/** A package as a download. */
export const packageAnswer = ({ reference, content }: { reference: string; content: Buffer }) => ({
  raw: { contentType: 'application/zip', text: content },
  headers: { 'content-disposition': `attachment; filename="${reference}.zip"` },
});

/** @throws RestError 400 `spam_detected`; an empty header is that of a form that sends all it has */
function assertNoTrap(headers: IncomingHttpHeaders): void {
  const value = headers[TRAP];
  if (value === undefined || String(value).trim() === '') return;
  throw new RestError(400, 'spam_detected', 'This looks like a bot. Send no X-PV-HP-Check header.');
}

/** @throws RestError 422 `invalid_email` for one that is missing, malformed or no text */
function readAddress(read: <T extends TObject>(schema: T) => Static<T>): string {
  let given: string | undefined;
  try {
    given = read(IntakeEmail).email;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
  }
  const address = given === undefined ? undefined : readEmail(given);
  if (address === undefined) {
    throw new RestError(
      422,
      'invalid_email',
      'Send an e-mail address at which you can be reached.',
    );
  }
  return address;
}
