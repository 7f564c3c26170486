export { regimeRoutes } from './routes.ts';
