export type { Asked } from './asked.ts';
export { SettingsCache } from './cache.ts';
export { ConsentVersions } from './consent-versions.ts';
export { settingsRoutes } from './routes.ts';
export { getTexts } from './rules.ts';
export type { SiteSettings } from './schemas.ts';
export { assertCategory, type CurrentSettings, readSettings } from './service.ts';
export type { ConsentVersion } from './store.ts';
