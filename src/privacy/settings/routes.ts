import { Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { toStrongTag } from '../../platform/http/entity-tags.ts';
import { forbidden } from '../../platform/rest/errors.ts';
import {
  toListResponse,
  toOffsetAndLimit,
  toWholeListResponse,
  wholeListArgs,
} from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { languageRoutes } from './banner/languages/routes.ts';
import { ConsentVersion, ConsentVersionsArgs } from './banner/schemas.ts';
import type { SettingsCache } from './cache.ts';
import { type ImportScope, importRoutes } from './import/index.ts';
import { EnvironmentSetting, Settings, SettingsUpdate, SettingsUpdateHeaders } from './schemas.ts';
import { type CurrentSettings, changeSettings, readSettings } from './service.ts';
import { countConsentVersions, listConsentVersions } from './store.ts';

const answer = ({ settings }: CurrentSettings) => ({
  body: settings,
  headers: { etag: toStrongTag(settings) },
});

/** The settings from environment variables, secrets masked. */
export type Environment = () => Readonly<Record<string, string | number | undefined>>;

/** `/settings`, the banner versions, the languages of its texts and the import from other banners. */
export function settingsRoutes(
  api: RestApi,
  { scope }: SettingsCache,
  environment: Environment,
  readVendors: ImportScope['readVendors'],
): void {
  const { platform, restRoot } = scope;
  const { db } = platform.datastore;

  languageRoutes(api);
  api.add({
    method: 'GET',
    path: '/settings',
    access: 'read_settings',
    summary: 'Get the settings',
    answers: { 200: Settings },
    answerHeaders: ['ETag'],
    async handle() {
      return answer(await readSettings(db, restRoot()));
    },
  });
  api.add({
    method: 'PUT',
    path: '/settings',
    access: 'edit_banner_texts',
    summary: 'Update the settings',
    args: SettingsUpdate,
    requestHeaders: SettingsUpdateHeaders,
    answers: { 200: Settings },
    answerHeaders: ['ETag'],
    refusals: { 412: 'rest_precondition_failed' },
    async handle({ args, user, headers }) {
      if (!user) throw forbidden(401);
      const ifMatch = headers['if-match'];
      return answer(await changeSettings(scope, args, { user, ifMatch }));
    },
  });
  api.add({
    method: 'GET',
    path: '/settings/environment',
    summary: 'List the settings from environment variables',
    args: wholeListArgs,
    answers: { 200: Type.Array(EnvironmentSetting) },
    async handle(request) {
      const settings = Object.entries(environment());
      const records = settings.map(([name, value]) => ({ name, value: String(value ?? '') }));
      return toWholeListResponse(request, records);
    },
  });
  api.add({
    method: 'GET',
    path: '/settings/consent-versions',
    access: 'read_settings',
    summary: 'List banner versions',
    args: ConsentVersionsArgs,
    answers: { 200: Type.Array(ConsentVersion) },
    async handle(request) {
      const total = await countConsentVersions(db);
      const args = { ...request.args, per_page: request.args.per_page ?? Math.max(1, total) };
      const { offset, limit } = toOffsetAndLimit(args);
      const versions = await listConsentVersions(db, limit, offset);
      const records = versions.map(({ version, hash, config, asked, askedSince, createdAt }) => ({
        version,
        hash,
        created_at: toIsoMoment(createdAt),
        config,
        vendors: asked?.vendors ?? null,
        purposes: asked?.purposes ?? null,
        asked_since: askedSince,
      }));
      return toListResponse({ ...request, args }, records, total);
    },
  });
  importRoutes(api, { ...scope, readVendors });
}
