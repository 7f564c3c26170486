export { type BulkLine, issueInBulk } from './bulk/service.ts';
export { deleteCustomer } from './customers/deletion.ts';
export { EXPORT_FORMATS, exportLicences } from './export.ts';
export { adminRoutes } from './routes.ts';
export { applyEdit, getLicenceDetail } from './service.ts';
