import { type Static, type TObject, Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import type { User } from '../../platform/rest/caller.ts';
import { toListResponse, toOffsetAndLimit } from '../../platform/rest/pagination.ts';
import { JSON_TYPE, type RestApi } from '../../platform/rest/rest-api.ts';
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
import { issueInBulk } from './bulk.ts';
import type { NoteErasure } from './customer-deletion.ts';
import { exportLicences } from './export.ts';
import {
  BulkIssue,
  BulkReport,
  CustomerDeleted,
  CustomerState,
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
  changeAtDesk,
  deleteLicenceCustomer,
  describeLicences,
  getCustomerState,
  getLicenceDetail,
  issueAndMail,
  parseEmail,
  parseExpiry,
  toSearchTerm,
} from './service.ts';

const actorOf = ({ user }: { user: User | null }): string => formatConsoleActor(user?.login ?? '');

const NOTHING = Type.Object({});

/** The support desk of who sells licences: what the command line does, for administrators over HTTP. */
export function adminRoutes(api: RestApi, platform: Platform, noteErasure: NoteErasure): void {
  const { datastore, clock } = platform;
  const tagged = async (id: string) => {
    const { detail, tag } = await getLicenceDetail(platform, id);
    return { body: detail, headers: { etag: tag } };
  };

  api.add({
    method: 'GET',
    path: '',
    summary: 'Licences, newest first',
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
    summary: 'Issue a licence; its key is shown this once',
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
    summary: 'Issue many licences from a CSV table or by count: all, or none if a line is wrong',
    args: BulkIssue,
    answers: { 200: BulkReport },
    handle: async (request) => ({
      body: await issueInBulk(platform, request.args, actorOf(request)),
    }),
  });
  api.add({
    method: 'GET',
    path: '/export',
    summary: 'Export licences, oldest first, as CSV or JSON',
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
    summary: 'A licence, its sites, and what happened to it',
    answers: { 200: LicenceDetail },
    handle: ({ key }) => tagged(key),
  });
  api.add({
    method: 'PUT',
    path: '/{licence}',
    summary:
      'Edit a licence; what is absent stays. With If-Match it is edited only if it still has that ETag.',
    args: Edit,
    answers: { 200: LicenceDetail },
    refusals: { 409: 'not_possible', 412: 'rest_precondition_failed' },
    async handle(request) {
      const { key, args, headers } = request;
      const edit = () => applyEdit(platform, key, args, headers['if-match'], actorOf(request));
      await changeAtDesk(platform, key, edit);
      return tagged(key);
    },
  });

  api.add({
    method: 'GET',
    path: '/{licence}/customer',
    summary: 'Get the customer of a licence, and what they are still needed for',
    answers: { 200: CustomerState },
    handle: async ({ key }) => ({ body: await getCustomerState(platform, key) }),
  });
  api.add({
    method: 'DELETE',
    path: '/{licence}/customer',
    summary: 'Delete the customer of a licence',
    answers: { 200: CustomerDeleted },
    refusals: { 409: 'customer_in_use' },
    async handle(request) {
      const records = await deleteLicenceCustomer(
        platform,
        request.key,
        actorOf(request),
        noteErasure,
      );
      return { body: { deleted: true as const, records } };
    },
  });

  /** A change of one licence, after which all of it is answered, and what is shown this once. */
  function verb<Args extends TObject>(
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
        const change = () => apply(id, request.args, actorOf(request));
        const shown = await changeAtDesk(platform, id, change);
        const { body, headers } = await tagged(id);
        return { body: { ...body, ...(shown as object) }, headers };
      },
    });
  }
  verb('suspend', 'Stop a licence until it is reinstated', NOTHING, async (id, _, actor) => {
    await suspendLicence(platform, id, actor);
  });
  verb('reinstate', 'End a suspension', NOTHING, async (id, _, actor) => {
    await reinstateLicence(platform, id, actor);
  });
  verb('revoke', 'End a licence for good', NOTHING, async (id, _, actor) => {
    await revokeLicence(platform, id, actor);
  });
  verb('extend', 'Move the end of a licence', Extension, async (id, { expires_at }, actor) => {
    await extendLicence(platform, id, parseExpiry(expires_at), actor);
  });
  verb(
    'transfer',
    'Transfer a licence to another customer',
    Transfer,
    async (id, { email }, actor) => {
      await transferLicence(platform, id, parseEmail(email), actor);
    },
  );
  verb('release', 'Take a site off a licence', Release, async (id, { activation_id }, actor) => {
    await releaseActivation(platform, { licenceId: id, activationId: activation_id }, actor);
  });
  verb(
    'reroll',
    'Give a licence a new key, shown this once',
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
