export { retentionChanges } from './retention.ts';
export { retentionRoutes } from './routes.ts';
export { type RunRequest, runRetention, sumRecords } from './run.ts';
export { toRunAnswer } from './runs/schemas.ts';
export { retentionJob } from './schedule.ts';
export { policyCreation, toPolicyRecord } from './schemas.ts';
export { createPolicy, listDatedTypes, seedPolicies } from './service.ts';
export { listPolicies } from './store.ts';
