export { importRoutes } from './routes.ts';
export { IMPORT_FORMATS } from './schemas.ts';
export { type ImportScope, importSettings } from './service.ts';
