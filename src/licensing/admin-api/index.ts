export { toAdminUrl } from './address.ts';
export { adminApiRoutes } from './routes.ts';
