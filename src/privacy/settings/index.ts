export { SettingsInForce } from './in-force.ts';
export { settingsRoutes } from './routes.ts';
export type { CurrentSettings } from './service.ts';
