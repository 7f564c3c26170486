export { retentionRoutes } from './routes.ts';
export { type RetentionScope, runRetention } from './run.ts';
export { retentionJob } from './schedule.ts';
export { seedPolicies } from './service.ts';
