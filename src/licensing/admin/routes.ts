import { type Static, type TObject, Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import type { User } from '../../platform/rest/caller.ts';
import { toListResponse, toOffsetAndLimit } from '../../platform/rest/pagination.ts';
import { JSON_TYPE } from '../../platform/rest/response.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { releaseActivation } from '../activations/index.ts';
import { mailRotatedKey } from '../checkout/index.ts';
import {
  extendLicence,
  formatConsoleActor,
  reinstateLicence,
  revokeLicence,
  rotateKey,
  searchLicences,
  suspendLicence,
  transferLicence,
} from '../licences/index.ts';
import { BulkIssue, BulkReport } from './bulk/schemas.ts';
import { issueInBulk } from './bulk/service.ts';
import type { RecordErasure } from './customers/deletion.ts';
import { customerRoutes } from './customers/routes.ts';
import { exportLicences } from './export.ts';
import {
  Edit,
  Extension,
  Issue,
  KeyShown,
  LicenceDetail,
  LicenceExport,
  LicenceFilter,
  LicenceRecord,
  Release,
  Reroll,
  Transfer,
} from './schemas.ts';
import {
  applyEdit,
  describeLicences,
  getLicenceDetail,
  issueAndMail,
  parseEmail,
  parseExpiry,
  toSearchTerm,
} from './service.ts';

const actorOf = ({ user }: { user: User | null }): string => formatConsoleActor(user?.login ?? '');

const NOTHING = Type.Object({});

/** Licence administration for the console. */
export function adminRoutes(api: RestApi, platform: Platform, recordErasure: RecordErasure): void {
  const { datastore, clock } = platform;
  customerRoutes(api, platform, recordErasure);
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
      const { search = '', ...filter } = request.args;
      const page = { now: clock.now(), ...toOffsetAndLimit(request.args) };
      const { licences, total } = await searchLicences(
        datastore.db,
        { ...filter, search: toSearchTerm(search) },
        page,
      );
      return toListResponse(request, await describeLicences(platform, licences), total);
    },
  });
  api.add({
    method: 'POST',
    path: '',
    summary: 'Issue a licence',
    args: Issue,
    answers: { 201: KeyShown },
    async handle(request) {
      const { licence, key } = await issueAndMail(platform, request.args, actorOf(request));
      const { detail } = await getLicenceDetail(platform, licence.publicId);
      return { status: 201, body: { ...detail, licence_key: key } };
    },
  });
  api.add({
    method: 'POST',
    path: '/bulk',
    summary: 'Issue many licences',
    args: BulkIssue,
    answers: { 200: BulkReport },
    handle: async (request) => ({
      body: await issueInBulk(platform, request.args, actorOf(request)),
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
      return {
        stream: {
          contentType: format === 'csv' ? 'text/csv; charset=UTF-8' : JSON_TYPE,
          chunks,
        },
        headers: { 'content-disposition': `attachment; filename="licences.${format}"` },
      };
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
    refusals: { 409: 'not_possible', 412: 'rest_precondition_failed' },
    async handle(request) {
      const { key, args, headers } = request;
      await applyEdit(platform, key, args, headers['if-match'], actorOf(request));
      return tagged(key);
    },
  });

  /** Adds an action on a licence. It answers with the whole licence, and with the new key if there is one. */
  function addAction<Args extends TObject>(
    name: string,
    summary: string,
    args: Args,
    apply: (id: string, args: Static<Args>, actor: string) => Promise<unknown>,
  ): void {
    api.add<Args>({
      method: 'POST',
      path: `/{licence}/${name}`,
      summary,
      args,
      answers: { 200: name === 'reroll' ? KeyShown : LicenceDetail },
      refusals: { 409: 'not_possible' },
      async handle(request) {
        const id = request.key;
        const shown = await apply(id, request.args, actorOf(request));
        const { body, headers } = await tagged(id);
        return { body: { ...body, ...(shown as object) }, headers };
      },
    });
  }
  addAction('suspend', 'Suspend a licence', NOTHING, async (id, _, actor) => {
    await suspendLicence(platform, id, actor);
  });
  addAction('reinstate', 'Reinstate a suspended licence', NOTHING, async (id, _, actor) => {
    await reinstateLicence(platform, id, actor);
  });
  addAction('revoke', 'Revoke a licence permanently', NOTHING, async (id, _, actor) => {
    await revokeLicence(platform, id, actor);
  });
  addAction(
    'extend',
    'Change the expiry of a licence',
    Extension,
    async (id, { expires_at }, actor) => {
      await extendLicence(platform, id, parseExpiry(expires_at), actor);
    },
  );
  addAction(
    'transfer',
    'Transfer a licence to another customer',
    Transfer,
    async (id, { email }, actor) => {
      await transferLicence(platform, id, parseEmail(email), actor);
    },
  );
  addAction('release', 'Deactivate a site', Release, async (id, { activation_id }, actor) => {
    await releaseActivation(platform, { licenceId: id, activationId: activation_id }, actor);
  });
  addAction(
    'reroll',
    'Rotate the key of a licence',
    Reroll,
    async (id, { overlap_hours, mail }, actor) => {
      const { key } = await rotateKey(
        platform,
        id,
        overlap_hours,
        actor,
        async (trx, announce, rerolled) => {
          if (mail) await mailRotatedKey(platform, trx, announce, rerolled);
        },
      );
      return { licence_key: key };
    },
  );
}
