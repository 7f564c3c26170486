import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { Text } from '../../platform/http/schemas.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import { addItemRoutes } from '../../platform/rest/items.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import type { SettingsCache } from '../settings/index.ts';
import { bulkAdd, type ListScanVendorIds } from './bulk-add.ts';
import { exportRoutes } from './export/routes.ts';
import { ownProcessingRoutes } from './own-processing/routes.ts';
import {
  BulkAddAnswer,
  BulkAddArgs,
  EntryCreation,
  EntryRecord,
  EntryUpdate,
  LegalBasisText,
  Status,
  Suggestions,
  toChanges,
  toEntryRecord,
  toLegalBasis,
} from './schemas.ts';
import { changeEntry, createEntry, removeEntry } from './service.ts';
import { findEntry, listEntries } from './store.ts';
import { suggestValues } from './suggestions.ts';

/** The data map: `/data-map`. */
export function dataMapRoutes(
  api: RestApi,
  platform: Platform,
  {
    siteUrl,
    timeZone,
    listScanVendorIds,
    settings,
  }: {
    siteUrl: () => string;
    timeZone: string;
    listScanVendorIds: ListScanVendorIds;
    settings: SettingsCache;
  },
): void {
  const { datastore, clock } = platform;
  const { db } = datastore;
  const toDay = toLocalDay(timeZone);
  const scope = { platform, settings };

  api.add({
    method: 'GET',
    path: '/data-map',
    access: 'read_privacy',
    summary: 'List data map entries',
    args: Type.Object({
      status: Type.Optional(Status),
      legal_basis: Type.Optional(LegalBasisText),
      search: Type.Optional(
        Text(100, {
          minLength: 0,
          description: 'Part of a purpose or of a vendor’s name or slug.',
        }),
      ),
      review_due: Type.Optional(
        Type.Boolean({ description: 'Only entries whose review date is today or earlier (1).' }),
      ),
      review_before: Type.Optional(
        Type.String({ format: 'date', description: 'Only entries with an earlier review date.' }),
      ),
      ...paginationArgs(),
    }),
    answers: { 200: Type.Array(EntryRecord) },
    async handle(request) {
      const { status, legal_basis, search = '', review_due, review_before } = request.args;
      const { entries, total } = await listEntries(db, {
        ...(status !== undefined && { status }),
        ...(legal_basis !== undefined && { legalBasis: toLegalBasis(legal_basis) }),
        search,
        ...(review_due && { reviewUntil: toDay(clock.now()) }),
        ...(review_before !== undefined && { reviewBefore: review_before }),
        ...toOffsetAndLimit(request.args),
      });
      return toListResponse(request, entries.map(toEntryRecord), total);
    },
  });
  api.add({
    method: 'POST',
    path: '/data-map',
    summary: 'Create a data map entry',
    args: EntryCreation,
    answers: { 201: EntryRecord },
    answerHeaders: ['Location'],
    async handle({ args }) {
      const { vendor_id, purpose } = args;
      const legal_basis = toLegalBasis(args.legal_basis);
      const entry = await createEntry(scope, {
        ...toChanges(args),
        vendor_id,
        purpose,
        legal_basis,
      });
      const location = api.getUrl(`/data-map/${entry.id}`);
      return { status: 201, body: toEntryRecord(entry), headers: { location } };
    },
  });
  api.add({
    method: 'POST',
    path: '/data-map/bulk-add',
    summary: 'Add entries for vendors that a scan found',
    args: BulkAddArgs,
    answers: { 200: BulkAddAnswer },
    refusals: { 404: 'not_found' },
    async handle({ args: { scan_id: scanId, vendors: slugs } }) {
      const { added, skipped } = await bulkAdd(scope, listScanVendorIds, { scanId, slugs });
      return { body: { added: added.map(toEntryRecord), skipped } };
    },
  });
  ownProcessingRoutes(api, scope);
  api.add({
    method: 'GET',
    path: '/data-map/suggestions',
    access: 'read_privacy',
    summary: 'List suggestions for data map fields',
    answers: { 200: Suggestions },
    async handle() {
      return { body: await suggestValues(db) };
    },
  });
  exportRoutes(api, platform, { siteUrl, settings, toDay });
  addItemRoutes(api, {
    path: '/data-map',
    noun: 'data map entry',
    record: EntryRecord,
    toRecord: toEntryRecord,
    update: EntryUpdate,
    find: (id) => findEntry(db, id),
    change: (id, args, _, assertUnchanged) =>
      changeEntry(scope, id, toChanges(args), assertUnchanged),
    remove: (id) => removeEntry(scope, id),
  });
}
