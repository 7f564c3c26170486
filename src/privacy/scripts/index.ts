export { scriptRoutes } from './routes.ts';
export { addScripts } from './service.ts';
