export { SettingsInForce } from './in-force.ts';
export { settingsRoutes } from './routes.ts';
export { textsIn } from './rules.ts';
export { assertCategory, type CurrentSettings, readSettings } from './service.ts';
