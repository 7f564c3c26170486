import { Type } from 'typebox';
import type { Platform } from '../../../../platform/deps.ts';
import { NotFoundError } from '../../../../platform/errors.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../../platform/rest/rest-api.ts';
import {
  LogVerification,
  toLogVerification,
  VERIFICATIONS_KEPT,
  VerificationArgs,
} from './schemas.ts';
import type { Verifications } from './service.ts';
import { findVerification, listVerifications } from './store.ts';

/** Verifications on the server: `/consent/log/verifications`. */
export function verificationRoutes(
  api: RestApi,
  { datastore, clock }: Platform,
  verifications: Verifications,
): void {
  const { db } = datastore;
  api.add({
    method: 'POST',
    path: '/consent/log/verifications',
    summary: 'Start a verification of the consent log',
    args: VerificationArgs,
    answers: { 201: LogVerification },
    answerHeaders: ['Location'],
    refusals: {
      409: {
        verification_running: 'The log is being verified. Wait until it ends, then start another.',
      },
    },
    async handle({ args }) {
      const row = await verifications.start(args.deep);
      return {
        status: 201,
        headers: { location: api.getUrl(`/consent/log/verifications/${row.id}`) },
        body: toLogVerification(row, clock.now()),
      };
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/log/verifications',
    access: 'read_privacy',
    summary: 'List verifications of the consent log, newest first',
    args: Type.Object(paginationArgs(VERIFICATIONS_KEPT)),
    answers: { 200: Type.Array(LogVerification) },
    async handle(request) {
      const { rows, total } = await listVerifications(db, toOffsetAndLimit(request.args));
      const now = clock.now();
      return toListResponse(
        request,
        rows.map((row) => toLogVerification(row, now)),
        total,
      );
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/log/verifications/{id}',
    access: 'read_privacy',
    summary: 'Get a verification of the consent log',
    answers: { 200: LogVerification },
    async handle({ id }) {
      const row = await findVerification(db, id);
      if (!row) throw new NotFoundError('The verification');
      return { body: toLogVerification(row, clock.now()) };
    },
  });
}
