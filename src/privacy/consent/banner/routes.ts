import { prebuildBody, respondPrebuilt } from '../../../platform/rest/prebuilt.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { PrebuiltBody } from '../../../platform/rest/route.ts';
import {
  type ConsentVersions,
  type CurrentSettings,
  getShownTexts,
  type SettingsCache,
} from '../../settings/index.ts';
import { appearanceRoutes } from './appearance/routes.ts';
import { ConsentStatus, ConsentTexts, TextsQuery, toConsentStatus } from './schemas.ts';
import { readTextsVersion } from './versions.ts';

/** The settings and texts of the banner: `/consent/status`, `/consent/texts` and `/consent/banner`. */
export function bannerRoutes(
  api: RestApi,
  { settings, versions }: { settings: SettingsCache; versions: ConsentVersions },
): void {
  appearanceRoutes(api);
  const statuses = new WeakMap<CurrentSettings, PrebuiltBody>();

  function getPreparedStatus(current: CurrentSettings): PrebuiltBody {
    const status =
      statuses.get(current) ??
      prebuildBody(toConsentStatus(current.settings.consent, current.version));
    statuses.set(current, status);
    return status;
  }

  api.add({
    method: 'GET',
    path: '/consent/status',
    access: 'public',
    hot: true,
    otherOrigins: 'reported',
    summary: 'Get the consent status and banner settings',
    answers: { 200: ConsentStatus, 304: null },
    ready() {
      const current = settings.current();
      return current && getPreparedStatus(current);
    },
    async handle({ headers }) {
      return respondPrebuilt(getPreparedStatus(await settings.read()), headers);
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/texts',
    access: 'public',
    summary: 'Get the texts of the banner in the best matching language',
    args: TextsQuery,
    answers: { 200: ConsentTexts, 304: null },
    async handle({ args, headers }) {
      const current = await settings.read();
      const { config, version, hash } = await readTextsVersion(args.version, current, versions);
      const texts = getShownTexts(config, args.language ?? '');
      const asked = { version, hash, asked_since: current.askedSince };
      return respondPrebuilt(prebuildBody({ ...texts, ...asked }), headers);
    },
  });
}
