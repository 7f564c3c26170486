export { consentRoutes } from './routes.ts';
