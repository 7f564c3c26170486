export { settingsRoutes } from './routes.ts';
export { assertCategory, type CurrentSettings, cachedSettings } from './service.ts';
