export { exchangeRoutes } from './exchange/routes.ts';
export type { ImportLine } from './import-batch.ts';
export { importRoutes } from './routes.ts';
export {
  type ImportReport,
  type ImportRequest,
  importLicences,
  toImportReport,
} from './service.ts';
export { IMPORT_FORMATS } from './sources/index.ts';
