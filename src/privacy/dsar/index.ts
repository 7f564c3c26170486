export { listTasks, taskRunner } from './fulfilment/index.ts';
export { dsarJobs } from './reminders.ts';
export { caseRecords } from './retention.ts';
export { dsarRoutes } from './routes.ts';
export { CASE_STATUSES, type CaseStatus, GROUNDS, type Ground, readReference } from './rules.ts';
export { toCaseRecord, toEventRecord, toTaskRecord } from './schemas.ts';
export { changeCase, openPackage } from './service.ts';
export { type Dsar, dsarOf } from './site.ts';
export { type Case, findCase, findCaseByReference, listCases, listEvents } from './store.ts';
