export { assertProvider, Provider } from './provider.ts';
export { userIdentities } from './retention.ts';
export { singleSignOnRoutes } from './routes.ts';
