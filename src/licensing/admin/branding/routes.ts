import type { Platform } from '../../../platform/deps.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import {
  type Brand,
  BrandRecord,
  BrandUpdate,
  getBrandTag,
  readBrand,
  toBrandRecord,
  updateBrand,
} from '../../branding/index.ts';

/** How the seller appears on pages and in emails to customers. */
export function brandingRoutes(api: RestApi, platform: Platform): void {
  const show = (brand: Brand) => ({
    body: toBrandRecord(brand),
    headers: { etag: getBrandTag(brand) },
  });
  api.add({
    method: 'GET',
    path: '/branding',
    summary: 'Get the branding of pages and emails to customers',
    answers: { 200: BrandRecord },
    handle: async () => show(await readBrand(platform.datastore.db)),
  });
  api.add({
    method: 'PUT',
    path: '/branding',
    summary: 'Update the branding of pages and emails to customers',
    args: BrandUpdate,
    answers: { 200: BrandRecord },
    refusals: { 412: 'rest_precondition_failed' } as const,
    async handle({ args: edits, headers, user }) {
      const change = { edits, ifMatch: headers['if-match'] };
      return show(await updateBrand(platform, change, user?.login ?? ''));
    },
  });
}
