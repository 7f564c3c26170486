export { SettingsInForce } from './in-force.ts';
export { settingsRoutes } from './routes.ts';
export { assertCategory, type CurrentSettings } from './service.ts';
