export { originRoutes } from './routes.ts';
export { AllowedOrigins } from './service.ts';
