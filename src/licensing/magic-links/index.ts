export { signInLinks } from './retention.ts';
export { magicLinkRoutes } from './routes.ts';
