export { toEventRecord } from './cases/history/schemas.ts';
export { listEvents } from './cases/history/store.ts';
export { sendNewLink } from './cases/links.ts';
export { listCases } from './cases/queue/store.ts';
export { dsarJobs } from './cases/reminders.ts';
export { caseRecords, packageRecords, requestLog } from './cases/retention.ts';
export { CaseCreation } from './cases/schemas.ts';
export { createDsar, type Dsar, type Sender } from './context.ts';
export { caseDeletions } from './deletions/retention.ts';
export { ERASURES, readErasures } from './erasures/erasure-list.ts';
export { erasurePurger, purgeIfRequested } from './erasures/purger.ts';
export { type Reapplied, reapplyErasures } from './erasures/reapply.ts';
export { recordErasure, wasErased } from './erasures/record-erasure.ts';
export { openPackage } from './export/download.ts';
export {
  approveErasure,
  awaitsApproval,
  type Decision,
  listTasks,
  previewErasure,
  RESERVED_SOURCES,
  taskRunner,
} from './fulfilment/index.ts';
export { toErasurePreview, toTaskRecord } from './fulfilment/schemas.ts';
export { enterRequest } from './intake/manual-entry.ts';
export { EMAIL_LANGUAGES } from './messages/index.ts';
export { privacyPages } from './portal/routes.ts';
export { dsarRoutes } from './routes.ts';
export {
  CASE_STATUSES,
  type CaseStatus,
  CHANNELS,
  GROUNDS,
  type Ground,
  KEEP_GROUNDS,
  LINK_PURPOSES,
  type LinkPurpose,
  REQUEST_TYPES,
  readReference,
} from './rules.ts';
export { toCaseRecord } from './schemas.ts';
export { changeCase } from './service.ts';
export { type Case, findCase, findCaseByReference } from './store.ts';
