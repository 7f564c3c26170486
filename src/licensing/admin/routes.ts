import type { IncomingHttpHeaders } from 'node:http';
import { type Static, type TObject, Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import type { User } from '../../platform/rest/caller.ts';
import { toListResponse, toOffsetAndLimit } from '../../platform/rest/pagination.ts';
import { toExportResponse } from '../../platform/rest/response.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { releaseActivation } from '../activations/index.ts';
import { importRoutes } from '../imports/index.ts';
import {
  extendLicence,
  formatConsoleActor,
  type Licence,
  reinstateLicence,
  revokeLicence,
  searchLicences,
  suspendLicence,
  transferLicence,
} from '../licences/index.ts';
import type { FileLimits } from '../releases/index.ts';
import { statisticsRoutes } from '../statistics/index.ts';
import { apiTokenRoutes } from './api-tokens/routes.ts';
import { brandingRoutes } from './branding/routes.ts';
import { BulkIssue, BulkReport } from './bulk/schemas.ts';
import { issueInBulk } from './bulk/service.ts';
import type { RecordErasure } from './customers/deletion.ts';
import { customerRoutes } from './customers/routes.ts';
import { exportLicences } from './export.ts';
import { issueOnce } from './issue-once.ts';
import { productRoutes } from './products/routes.ts';
import { adminReleaseRoutes } from './releases/routes.ts';
import {
  Edit,
  Extension,
  Issue,
  IssueHeaders,
  KeyShown,
  LicenceDetail,
  LicenceExport,
  LicenceFilter,
  LicenceRecord,
  Release,
  Reroll,
  RestrictionReason,
  Transfer,
} from './schemas.ts';
import {
  applyEdit,
  describeLicences,
  getLicenceDetail,
  parseEmail,
  parseExpiry,
  rotateAndMail,
  toIssueRequest,
  toStoreFilter,
} from './service.ts';

const getIdempotencyKey = ({ headers }: { headers: IncomingHttpHeaders }): string | undefined =>
  headers['idempotency-key']?.toString();
const getActor = ({ user }: { user: User | null }): string => formatConsoleActor(user?.login ?? '');

const NOTHING = Type.Object({});
const KEY_ROTATED = {
  key_rotated: 'This request has issued the licence already, and its key was rotated since.',
};

/** Licence administration for the console. */
export function adminRoutes(
  api: RestApi,
  platform: Platform,
  { recordErasure, releases }: { recordErasure: RecordErasure; releases: FileLimits },
): void {
  const { datastore, clock } = platform;
  customerRoutes(api, platform, recordErasure);
  productRoutes(api, platform);
  brandingRoutes(api, platform);
  apiTokenRoutes(api, platform);
  adminReleaseRoutes(api, platform, releases);
  importRoutes(api, platform);
  statisticsRoutes(api, platform);
  const tagged = async (id: string) => {
    const { detail, tag } = await getLicenceDetail(platform, id);
    return { body: detail, headers: { etag: tag } };
  };

  api.add({
    method: 'GET',
    path: '',
    summary: 'List licences',
    args: LicenceFilter,
    answers: { 200: Type.Array(LicenceRecord) },
    async handle(request) {
      const filter = await toStoreFilter(platform, request.args);
      const page = { now: clock.now(), ...toOffsetAndLimit(request.args) };
      const { licences, total } = await searchLicences(datastore.db, filter, page);
      return toListResponse(request, await describeLicences(platform, licences), total);
    },
  });
  api.add({
    method: 'POST',
    path: '',
    summary: 'Issue a licence',
    args: Issue,
    requestHeaders: IssueHeaders,
    answers: { 201: KeyShown },
    refusals: { 409: KEY_ROTATED },
    async handle(request) {
      const { licence, key } = await issueOnce(
        platform,
        toIssueRequest(request.args),
        request.args.mail,
        {
          actor: getActor(request),
          idempotencyKey: getIdempotencyKey(request),
        },
      );
      const { detail } = await getLicenceDetail(platform, licence.publicId);
      return { status: 201, body: { ...detail, licence_key: key } };
    },
  });
  api.add({
    method: 'POST',
    path: '/bulk',
    summary: 'Issue many licences',
    args: BulkIssue,
    requestHeaders: IssueHeaders,
    answers: { 200: BulkReport },
    refusals: { 409: KEY_ROTATED },
    handle: async (request) => ({
      body: await issueInBulk(
        platform,
        request.args,
        getActor(request),
        getIdempotencyKey(request),
      ),
    }),
  });
  api.add({
    method: 'GET',
    path: '/export',
    summary: 'Export licences',
    args: LicenceExport,
    answers: { 200: Type.Array(LicenceRecord) },
    texts: ['text/csv'],
    async handle({ args: { format, ...filter }, user }) {
      const chunks = platform.securityLog.streamExport(
        { actor: user?.login ?? '', what: 'licences', details: { format } },
        (counted) => exportLicences(platform, filter, format, counted),
      );
      return toExportResponse('licences', format, chunks);
    },
  });
  api.add({
    method: 'GET',
    path: '/{licence}',
    summary: 'Get a licence',
    answers: { 200: LicenceDetail },
    handle: ({ key }) => tagged(key),
  });
  api.add({
    method: 'PUT',
    path: '/{licence}',
    summary: 'Update a licence',
    args: Edit,
    answers: { 200: LicenceDetail },
    refusals: { 409: { not_possible: 'The licence is revoked.' }, 412: 'rest_precondition_failed' },
    async handle(request) {
      const { key, args, headers } = request;
      await applyEdit(platform, key, args, headers['if-match'], getActor(request));
      return tagged(key);
    },
  });

  /** Adds an action on a licence. It returns the licence, and the key if it was rotated. */
  function addAction<Args extends TObject>(
    name: string,
    summary: string,
    args: Args,
    apply: (
      id: string,
      args: Static<Args>,
      actor: string,
    ) => Promise<Licence | { key: string } | string>,
  ): void {
    api.add<Args>({
      method: 'POST',
      path: `/{licence}/${name}`,
      summary,
      args,
      answers: { 200: name === 'reroll' ? KeyShown : LicenceDetail },
      refusals: { 409: { not_possible: 'The licence is revoked.' } },
      async handle(request) {
        const result = await apply(request.key, request.args, getActor(request));
        const { body, headers } = await tagged(request.key);
        const isRotated = typeof result === 'object' && 'key' in result;
        return { body: isRotated ? { ...body, licence_key: result.key } : body, headers };
      },
    });
  }
  addAction('suspend', 'Suspend a licence', RestrictionReason, (id, { reason }, actor) =>
    suspendLicence(platform, id, actor, reason),
  );
  addAction('reinstate', 'Reinstate a suspended licence', NOTHING, (id, _, actor) =>
    reinstateLicence(platform, id, actor),
  );
  addAction('revoke', 'Revoke a licence permanently', RestrictionReason, (id, { reason }, actor) =>
    revokeLicence(platform, id, actor, reason),
  );
  addAction('extend', 'Change the expiry of a licence', Extension, (id, { expires_at }, actor) =>
    extendLicence(platform, id, parseExpiry(expires_at), actor),
  );
  addAction('transfer', 'Transfer a licence to another customer', Transfer, (id, args, actor) =>
    transferLicence(platform, id, parseEmail(args.email), actor),
  );
  addAction('release', 'Deactivate a site', Release, (licenceId, { activation_id }, actor) =>
    releaseActivation(platform, { licenceId, activationId: activation_id }, actor),
  );
  addAction('reroll', 'Rotate the key of a licence', Reroll, (id, args, actor) =>
    rotateAndMail(platform, id, { overlapHours: args.overlap_hours, mail: args.mail }, actor),
  );
}
