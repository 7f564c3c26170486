export { LinkLimits } from './limits.ts';
export { signInLinks } from './retention.ts';
export { magicLinkRoutes } from './routes.ts';
export { hashAddress, parseAddress } from './service.ts';
