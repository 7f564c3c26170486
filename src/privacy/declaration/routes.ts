import { prebuildBody, respondPrebuilt } from '../../platform/rest/prebuilt.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { DriftRecord, toDriftRecord } from './drift/schemas.ts';
import { readDrift } from './drift/service.ts';
import { readCookieNames } from './preferences/cookie-names.ts';
import {
  PreferencesVendors,
  PreferencesVendorsArgs,
  VendorCookies,
} from './preferences/schemas.ts';
import { readPreferencesVendors } from './preferences/service.ts';
import { Declaration, DeclarationArgs } from './schemas.ts';
import { cacheByLanguage, type Declarations } from './service.ts';

/**
 * The declaration for visitors, and its differences from the data map: `/declaration`. The same for the preferences of
 * the banner: `/consent/vendors`, and for withdrawals: `/consent/cookies`.
 */
export function declarationRoutes(api: RestApi, declarations: Declarations): void {
  api.add({
    method: 'GET',
    path: '/declaration',
    access: 'public',
    otherOrigins: 'reported',
    summary: 'Get the declaration of cookies and third parties',
    args: DeclarationArgs,
    answers: { 200: Declaration, 304: null },
    async handle({ args: { language = '' }, headers }) {
      const { prebuilt } = await declarations.get(language);
      return respondPrebuilt(prebuilt, headers);
    },
  });
  const readVendors = cacheByLanguage(declarations.scope, async (language) =>
    prebuildBody(await readPreferencesVendors(declarations.scope, language)),
  );
  api.add({
    method: 'GET',
    path: '/consent/vendors',
    access: 'public',
    summary: 'List the vendors of each category for the preferences',
    args: PreferencesVendorsArgs,
    answers: { 200: PreferencesVendors, 304: null },
    async handle({ args: { language = '' }, headers }) {
      return respondPrebuilt(await readVendors(language), headers);
    },
  });
  const readNames = cacheByLanguage(declarations.scope, async () =>
    prebuildBody(await readCookieNames(declarations.scope)),
  );
  api.add({
    method: 'GET',
    path: '/consent/cookies',
    access: 'public',
    summary: 'List cookie names by category',
    answers: { 200: VendorCookies, 304: null },
    async handle({ headers }) {
      return respondPrebuilt(await readNames(''), headers);
    },
  });
  api.add({
    method: 'GET',
    path: '/declaration/drift',
    access: 'read_privacy',
    summary: 'Get the differences between the data map and the latest scan',
    answers: { 200: DriftRecord },
    async handle() {
      return { body: toDriftRecord(await readDrift(declarations.scope)) };
    },
  });
}
