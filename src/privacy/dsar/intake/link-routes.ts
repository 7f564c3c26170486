import { DomainError, NotFoundError } from '../../../platform/errors.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { withdraw } from '../cases/withdrawal.ts';
import { assertWithinRateLimit, type Dsar } from '../context.ts';
import { downloadPackage, invalidLinkError } from '../export/download.ts';
import { CaseStatusRecord, toCaseStatus } from '../schemas.ts';
import { confirmAddress } from './intake.ts';
import { TokenArgs, Zip } from './schemas.ts';

const LINK_INVALID =
  'This link no longer works: it was used, replaced by a newer one, or is older than seven days, or the request has been closed.';

/** A package as a download. */
export const toPackageResponse = (file: { reference: string; content: Buffer }) => ({
  raw: { contentType: 'application/zip', text: file.content },
  headers: { 'content-disposition': `attachment; filename="${file.reference}.zip"` },
});

/** Public routes for the links that were emailed. */
export function linkRoutes(api: RestApi, dsar: Dsar): void {
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
      return toPackageResponse(opened);
    },
  });
}
