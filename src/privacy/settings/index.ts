export type { Asked } from './asked.ts';
export { ConsentVersions } from './consent-versions.ts';
export { SettingsInForce } from './in-force.ts';
export { type Environment, settingsRoutes } from './routes.ts';
export { textsIn } from './rules.ts';
export type { SiteSettings } from './schemas.ts';
export { assertCategory, type CurrentSettings, readSettings } from './service.ts';
export type { ConsentVersion } from './store.ts';
