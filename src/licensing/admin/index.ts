export { type BulkLine, issueInBulk } from './bulk.ts';
export { deleteCustomer, type NoteErasure } from './customer-deletion.ts';
export { EXPORT_FORMATS, exportLicences } from './export.ts';
export { adminRoutes } from './routes.ts';
export { applyEdit, getLicenceDetail } from './service.ts';
