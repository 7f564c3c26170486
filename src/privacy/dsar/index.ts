export { listEvents } from './cases/history/store.ts';
export { listCases } from './cases/queue/store.ts';
export { dsarJobs } from './cases/reminders.ts';
export { type Dsar, dsarOf, type Sender } from './context.ts';
export { caseDeletions } from './deletions/retention.ts';
export { ERASURES } from './erasures/list.ts';
export { noteErasure } from './erasures/note.ts';
export { erasurePurger, purgeIfRequested } from './erasures/purger.ts';
export { type Reapplied, reapplyErasures } from './erasures/reapply.ts';
export { openPackage } from './export/packages.ts';
export {
  approveErasure,
  awaitsApproval,
  type Decision,
  listTasks,
  previewErasure,
  taskRunner,
} from './fulfilment/index.ts';
export { toErasurePreview, toTaskRecord } from './fulfilment/schemas.ts';
export { enterRequest } from './intake/manual-entry.ts';
export { sendNewLink } from './messages/links.ts';
export { privacyPages } from './portal/index.ts';
export { caseRecords, packageRecords, requestLog } from './retention.ts';
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
export {
  CaseCreation,
  toCaseRecord,
  toEventRecord,
} from './schemas.ts';
export { changeCase } from './service.ts';
export { type Case, findCase, findCaseByReference } from './store.ts';
