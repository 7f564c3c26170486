import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { Text } from '../../platform/http/schemas.ts';
import { addItemRoutes } from '../../platform/rest/items.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../platform/rest/pagination.ts';
import { prebuildBody, respondPrebuilt } from '../../platform/rest/prebuilt.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { assertCategory, type SettingsCache } from '../settings/index.ts';
import {
  EMPTY_VENDOR,
  toVendorFields,
  toVendorRecord,
  VendorCookies,
  VendorCreation,
  VendorRecord,
  VendorUpdate,
} from './schemas.ts';
import {
  changeVendor,
  createVendor,
  listVendorCookieNames,
  removeVendor,
  type VendorUse,
} from './service.ts';
import { findVendor, listVendors } from './store.ts';

/**
 * The vendor library: `/vendors`.
 * @param uses tell where a vendor is used, which keeps it from being deleted
 */
export function vendorRoutes(
  api: RestApi,
  platform: Platform,
  settings: SettingsCache,
  uses: readonly VendorUse[] = [],
): void {
  const { db } = platform.datastore;

  api.add({
    method: 'GET',
    path: '/vendors',
    access: 'read_privacy',
    summary: 'List vendors',
    args: Type.Object({
      search: Type.Optional(Text(100, { minLength: 0, description: 'Text in the name or slug.' })),
      ...paginationArgs(),
    }),
    answers: { 200: Type.Array(VendorRecord) },
    async handle(request) {
      const { search = '' } = request.args;
      const { vendors, total } = await listVendors(db, {
        search,
        ...toOffsetAndLimit(request.args),
      });
      return toListResponse(request, vendors.map(toVendorRecord), total);
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/cookies',
    access: 'public',
    summary: 'List cookie names by category',
    answers: { 200: VendorCookies, 304: null },
    async handle({ headers }) {
      return respondPrebuilt(prebuildBody(await listVendorCookieNames(db)), headers);
    },
  });
  api.add({
    method: 'POST',
    path: '/vendors',
    summary: 'Create a vendor',
    args: VendorCreation,
    answers: { 201: VendorRecord },
    answerHeaders: ['Location'],
    async handle({ args }) {
      const { name, slug } = args;
      assertCategory(args.category ?? EMPTY_VENDOR.category, await settings.read());
      const vendor = await createVendor(platform, { ...toVendorFields(args), name, slug });
      const location = api.getUrl(`/vendors/${vendor.id}`);
      return { status: 201, body: toVendorRecord(vendor), headers: { location } };
    },
  });
  addItemRoutes(api, {
    path: '/vendors',
    noun: 'vendor',
    record: VendorRecord,
    toRecord: toVendorRecord,
    update: VendorUpdate,
    find: (id) => findVendor(db, id),
    async change(id, args) {
      assertCategory(args.category, await settings.read());
      return changeVendor(platform, id, toVendorFields(args));
    },
    remove: (id) => removeVendor(platform, id, uses),
  });
}
