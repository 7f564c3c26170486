export { licenceFileRoutes } from './routes.ts';
export { createLicenceFile } from './service.ts';
