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

/** `/licence`: this site's own licence, by way of the Licence API. */
export function licenceRoutes(
  api: RestApi,
  platform: Platform,
  scope: LicenceScope,
  known: KnownLicence,
): void {
  const { clock } = platform;

  api.add({
    method: 'GET',
    path: '/licence',
    access: 'read_privacy',
    summary: 'Get the licence of the site',
    answers: { 200: SiteLicenceRecord },
    async handle() {
      const licence = await known.read();
      return { body: toSiteLicenceRecord(licence, clock.now()) };
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
      return { body: toSiteLicenceRecord(licence, clock.now()) };
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
        ? 'The key is removed, and its slot is free.'
        : 'The key is removed. The licence server does not answer, and is told as soon as it does.';
      return {
        body: {
          deleted: true,
          previous: toSiteLicenceRecord(previous, clock.now()),
          deactivated: isDeactivated,
          message,
        },
      };
    },
  });
}
