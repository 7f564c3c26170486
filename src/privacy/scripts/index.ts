export { scriptRoutes } from './routes.ts';
