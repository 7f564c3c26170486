export { LicenceGauges } from './gauges.ts';
export { statisticsRoutes } from './routes.ts';
