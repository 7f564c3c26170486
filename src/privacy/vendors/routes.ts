import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { Text } from '../../platform/http/schemas.ts';
import { addItemRoutes } from '../../platform/rest/items.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { assertCategory, type SettingsCache } from '../settings/index.ts';
import { getDomainsProblem } from './host.ts';
import {
  toVendorFields,
  toVendorRecord,
  VendorCreation,
  VendorRecord,
  VendorUpdate,
} from './schemas.ts';
import {
  changeVendor,
  createVendor,
  getDefaultCategory,
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
    method: 'POST',
    path: '/vendors',
    summary: 'Create a vendor',
    args: VendorCreation,
    answers: { 201: VendorRecord },
    answerHeaders: ['Location'],
    async handle({ args }) {
      assertDomains(args.domains);
      const { name, slug } = args;
      const current = await settings.read();
      const { category = getDefaultCategory(current) } = args;
      assertCategory(category, current);
      const fields = { ...toVendorFields(args), category };
      const vendor = await createVendor(platform, { ...fields, name, slug });
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
    refusals: {
      change: {
        403: { rest_cannot_edit: 'Ada is provided by the extension ada-tools. Change it there.' },
      },
      remove: { 403: { delete_failed: 'Matomo is a built-in vendor and cannot be deleted.' } },
    },
    find: (id) => findVendor(db, id),
    async change(id, args, _, assertUnchanged) {
      assertDomains(args.domains);
      assertCategory(args.category, await settings.read());
      return changeVendor(platform, id, toVendorFields(args), assertUnchanged);
    },
    remove: (id) => removeVendor(platform, id, uses),
  });
}

function assertDomains(domains: readonly string[] | null | undefined): void {
  const problem = domains && getDomainsProblem(domains);
  if (problem) throw new InvalidFieldError('domains', problem);
}
