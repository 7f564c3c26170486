export { settingsRoutes } from './routes.ts';
export { textsIn } from './rules.ts';
export { type CurrentSettings, readSettings, SETTINGS_CHANGED } from './service.ts';
