export { licenceFileRoutes } from './routes.ts';
export { licenceFile } from './service.ts';
