export { accountRoutes } from './routes.ts';
export type { LicenceInfo } from './schemas.ts';
export type { SwitchOptions } from './switch/schemas.ts';
