export { type Job, jobRunner, runDueJobs } from './schedule.ts';
export { Worker } from './worker.ts';
