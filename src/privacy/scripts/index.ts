export { takeExtensionScripts } from './from-extensions.ts';
export { scriptRoutes } from './routes.ts';
