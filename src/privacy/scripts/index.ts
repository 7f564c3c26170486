export { takeExtensionScripts } from './from-extensions.ts';
export { scriptRoutes } from './routes.ts';
export { addScripts } from './service.ts';
