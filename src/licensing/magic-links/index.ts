export { magicLinkRoutes } from './routes.ts';
