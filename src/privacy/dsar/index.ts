export { taskRunner } from './fulfilment/index.ts';
export { dsarJobs } from './reminders.ts';
export { caseRecords } from './retention.ts';
export { dsarRoutes } from './routes.ts';
export { type Dsar, type DsarSite, dsarOf, type ProcessingEntry } from './site.ts';
