export { type BulkLine, issueInBulk } from './bulk.ts';
export { deleteCustomer, type NoteErasure } from './customers.ts';
export { EXPORT_FORMATS, exportLicences } from './export.ts';
export { deskRoutes } from './routes.ts';
export { editAtDesk, licenceDetail } from './service.ts';
