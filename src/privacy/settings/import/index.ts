export { loadImport } from './load.ts';
export { importRoutes } from './routes.ts';
export { IMPORT_FORMATS } from './schemas.ts';
export type { ImportScope } from './service.ts';
