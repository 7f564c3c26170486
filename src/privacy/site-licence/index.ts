export { licenceRoutes } from './routes.ts';
export { licenceJob } from './schedule.ts';
export { KnownLicence } from './service.ts';
