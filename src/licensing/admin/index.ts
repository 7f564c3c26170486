export type { BulkLine } from './bulk/schemas.ts';
export { issueInBulk } from './bulk/service.ts';
export { deleteCustomer } from './customers/deletion.ts';
export { exportLicences } from './export.ts';
export { adminRoutes } from './routes.ts';
export {
  days,
  Edit,
  FILTERS,
  Issue,
  LicenceDetail,
  LicenceRecord,
  RestrictionReason,
} from './schemas.ts';
export {
  applyEdit,
  describeLicences,
  getLicenceDetail,
  issueAndMail,
  parseEmail,
  parseExpiry,
  rotateAndMail,
  toIssueRequest,
  toStoreFilter,
} from './service.ts';
