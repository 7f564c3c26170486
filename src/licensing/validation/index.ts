export { validationRoutes } from './routes.ts';
