export { trialJob } from './job.ts';
export { LINK_HOURS } from './links.ts';
export { trialRoutes } from './routes.ts';
export type { TrialStarted, Trials } from './schemas.ts';
