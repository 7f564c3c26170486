import { type Static, Type } from 'typebox';
import { toCsv } from '../../platform/csv.ts';
import type { Platform } from '../../platform/deps.ts';
import { OneOf, Text } from '../../platform/http/schemas.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import { invalidParam } from '../../platform/rest/errors.ts';
import { addItemRoutes } from '../../platform/rest/items.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import type { SettingsCache } from '../settings/index.ts';
import { bulkAdd, type ListScanVendorIds } from './bulk-add.ts';
import { addMissingProcessing, countMissingProcessing } from './own-processing.ts';
import { PRINTABLE_HEADERS, renderRecords } from './printable.ts';
import { LEGAL_BASES, type LegalBasis, parseLegalBasis } from './rules.ts';
import {
  BulkAddAnswer,
  BulkAddArgs,
  EntryCreation,
  EntryRecord,
  EntryUpdate,
  LegalBasisText,
  OwnProcessingAdded,
  OwnProcessingMissing,
  Status,
  Suggestions,
  toEntryRecord,
} from './schemas.ts';
import { changeEntry, createEntry, type EntryInput, removeEntry } from './service.ts';
import { ARTICLE_30, findEntry, listAllEntries, listEntries } from './store.ts';
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
    /** Tells whom a scan found, for adding them. */
    listScanVendorIds: ListScanVendorIds;
    settings: SettingsCache;
  },
): void {
  const { datastore, clock } = platform;
  const { db } = datastore;
  const dayOf = toLocalDay(timeZone);
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
        Type.Boolean({ description: 'Only those whose review date has come (1).' }),
      ),
      review_before: Type.Optional(
        Type.String({ format: 'date', description: 'Only those to be reviewed before this day.' }),
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
        ...(review_due && { reviewUntil: dayOf(clock.now()) }),
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
      const entry = await createEntry(scope, {
        ...toFields(args),
        vendorId: args.vendor_id,
        purpose: args.purpose,
        legalBasis: toLegalBasis(args.legal_basis),
      });
      const location = api.addressOf(`/data-map/${entry.id}`);
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
  api.add({
    method: 'GET',
    path: '/data-map/own-processing',
    access: 'read_privacy',
    summary: 'Count missing entries for processing by Pavis',
    answers: { 200: OwnProcessingMissing },
    async handle() {
      return { body: { missing: await countMissingProcessing(db) } };
    },
  });
  api.add({
    method: 'POST',
    path: '/data-map/own-processing',
    summary: 'Add missing entries for processing by Pavis',
    answers: { 200: OwnProcessingAdded },
    async handle() {
      const added = await addMissingProcessing(platform);
      return { body: { added: added.map(toEntryRecord) } };
    },
  });
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
  api.add({
    method: 'GET',
    path: '/data-map/export',
    access: 'read_privacy',
    summary: 'Export the records of processing activities',
    args: Type.Object({ format: OneOf(['csv', 'json', 'html'], { default: 'csv' }) }),
    answers: { 200: Type.Array(EntryRecord) },
    texts: ['text/csv', 'text/html'],
    async handle({ args: { format }, user }) {
      const entries = await listAllEntries(db);
      await platform.securityLog.recordExport({
        actor: user?.login ?? '',
        what: 'data_map',
        details: { format, records: entries.length },
      });
      if (format === 'html') {
        const { controller } = (await settings.read()).settings;
        const about = { siteUrl: siteUrl(), controller, now: clock.now() };
        const text = renderRecords(entries, about);
        return {
          raw: { contentType: 'text/html; charset=UTF-8', text },
          headers: PRINTABLE_HEADERS,
        };
      }
      const records = entries.map(toEntryRecord);
      const headers = {
        'content-disposition': `attachment; filename="records-of-processing.${format}"`,
      };
      if (format === 'json') return { body: records, headers };
      // What is missing is advice to the owner and no part of the records.
      const columns = Object.keys(EntryRecord.properties).filter((name) => name !== 'missing');
      const text = toCsv(columns, records);
      return { raw: { contentType: 'text/csv; charset=UTF-8', text }, headers };
    },
  });
  addItemRoutes(api, {
    path: '/data-map',
    noun: 'data map entry',
    record: EntryRecord,
    toRecord: toEntryRecord,
    update: EntryUpdate,
    find: (id) => findEntry(db, id),
    change: (id, args) => changeEntry(scope, id, toFields(args)),
    remove: (id) => removeEntry(scope, id),
  });
}

/** @throws RestError 400 `rest_invalid_param` */
function toLegalBasis(text: string): LegalBasis {
  const basis = parseLegalBasis(text);
  if (!basis)
    throw invalidParam('legal_basis', `legal_basis must be one of: ${LEGAL_BASES.join(', ')}.`);
  return basis;
}

/** The fields that are given, null read as empty. */
function toFields(args: Static<typeof EntryUpdate>): Partial<EntryInput> {
  const { vendor_id, purpose, legal_basis, data_categories, retention_period, status } = args;
  return {
    ...(vendor_id !== undefined && { vendorId: vendor_id }),
    ...(purpose !== undefined && { purpose }),
    ...(legal_basis !== undefined && { legalBasis: toLegalBasis(legal_basis) }),
    ...(data_categories !== undefined && { dataCategories: data_categories ?? [] }),
    ...(retention_period !== undefined && { retentionPeriod: retention_period ?? '' }),
    ...(status !== undefined && { status }),
    article30: Object.fromEntries(
      ARTICLE_30.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]]])),
    ),
  };
}
