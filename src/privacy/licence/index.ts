export { licenceRoutes } from './routes.ts';
export { licenceJob } from './schedule.ts';
export type { LicenceScope } from './service.ts';
