export { validationRoutes } from './routes.ts';
export { readSnapshot } from './service.ts';
