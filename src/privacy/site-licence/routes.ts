import type { Platform } from '../../platform/deps.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import {
  LicenceKeyArgs,
  SiteLicenceRecord,
  SiteLicenceRemoval,
  toSiteLicenceRecord,
} from './schemas.ts';
import {
  type KnownLicence,
  type LicenceScope,
  removeLicenceKey,
  saveLicenceKey,
} from './service.ts';
import type { SiteLicence } from './store.ts';

/** The licence of this site: `/licence`. */
export function licenceRoutes(
  api: RestApi,
  platform: Platform,
  scope: LicenceScope,
  known: KnownLicence,
): void {
  const toRecord = (licence: SiteLicence | undefined) =>
    toSiteLicenceRecord(licence, { url: scope.siteUrl(), now: platform.clock.now() });

  api.add({
    method: 'GET',
    path: '/licence',
    access: 'read_privacy',
    summary: 'Get the licence of the site',
    answers: { 200: SiteLicenceRecord },
    async handle() {
      return { body: toRecord(await known.read()) };
    },
  });
  api.add({
    method: 'POST',
    path: '/licence',
    summary: 'Save the licence key and activate the site',
    args: LicenceKeyArgs,
    answers: { 200: SiteLicenceRecord },
    async handle({ args: { key } }) {
      const licence = await saveLicenceKey(platform, scope, key);
      return { body: toRecord(licence) };
    },
  });
  api.add({
    method: 'DELETE',
    path: '/licence',
    summary: 'Remove the licence key and deactivate the site',
    answers: { 200: SiteLicenceRemoval },
    refusals: { 404: 'not_found' },
    async handle() {
      const { previous, isDeactivated } = await removeLicenceKey(platform, scope);
      const message = isDeactivated
        ? 'The key is removed and the site is deactivated.'
        : 'The key is removed. The licence server cannot be reached. The site is deactivated as soon as it can.';
      return {
        body: {
          deleted: true,
          previous: toRecord(previous),
          deactivated: isDeactivated,
          message,
        },
      };
    },
  });
}
