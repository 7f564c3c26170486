export { settingsRoutes } from './routes.ts';
export { type CurrentSettings, readSettings, SETTINGS_CHANGED } from './service.ts';
