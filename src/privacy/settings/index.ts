export { SettingsInForce } from './in-force.ts';
export { settingsRoutes } from './routes.ts';
export { textsIn } from './rules.ts';
export { assertCategory, type CurrentSettings, readSettings, SETTINGS_CHANGED } from './service.ts';
