export { consentRecords } from './retention.ts';
export { consentRoutes } from './routes.ts';
