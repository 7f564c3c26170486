export { accountRoutes } from './routes.ts';
export type { LicenceInfo } from './schemas.ts';
