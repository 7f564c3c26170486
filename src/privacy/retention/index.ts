export { retentionChanges } from './retention.ts';
export { retentionRoutes } from './routes.ts';
export { type RunRequest, runRetention } from './run.ts';
export { retentionJob } from './schedule.ts';
export { toPolicyRecord, toRunAnswer } from './schemas.ts';
export { createPolicy, listDatedTypes, seedPolicies } from './service.ts';
export { listPolicies } from './store.ts';
