import { Type } from 'typebox';
import { isoMoment } from '../../platform/clock.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import type { SettingsInForce } from './in-force.ts';
import { ConsentVersion, Settings, SettingsUpdate } from './schemas.ts';
import { changeSettings, readSettings } from './service.ts';
import { listConsentVersions } from './store.ts';

/** `/settings`, and every version of what visitors were asked. */
export function settingsRoutes(api: RestApi, { scope }: SettingsInForce): void {
  const { platform, siteUrl } = scope;
  const { db } = platform.datastore;

  api.add({
    method: 'GET',
    path: '/settings',
    summary: 'The settings of the site',
    answers: { 200: Settings },
    async handle() {
      return { body: (await readSettings(db, siteUrl())).settings };
    },
  });
  api.add({
    method: 'PUT',
    path: '/settings',
    summary: 'Change settings; what is absent stays',
    args: SettingsUpdate,
    answers: { 200: Settings },
    async handle({ args }) {
      return { body: (await changeSettings(scope, args)).settings };
    },
  });
  api.add({
    method: 'GET',
    path: '/settings/consent-versions',
    summary: 'What visitors were asked, version by version, newest first',
    answers: { 200: Type.Array(ConsentVersion) },
    async handle() {
      const versions = await listConsentVersions(db);
      return {
        body: versions.map(({ version, hash, config, asked, askedSince, createdAt }) => ({
          version,
          hash,
          created_at: isoMoment(createdAt),
          config,
          vendors: asked?.vendors ?? null,
          purposes: asked?.purposes ?? null,
          asked_since: askedSince,
        })),
      };
    },
  });
}
