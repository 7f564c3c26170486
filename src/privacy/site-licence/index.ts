export { licenceRoutes } from './routes.ts';
export { licenceJob } from './schedule.ts';
export { KnownLicence, type LicenceScope } from './service.ts';
