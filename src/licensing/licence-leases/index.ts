export { licenceLeaseRoutes } from './routes.ts';
