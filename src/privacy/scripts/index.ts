export {
  type ChoosableVendor,
  readBannerScripts,
  readChoosableVendors,
  readRegistered,
  readRegisteredVendors,
  SCRIPTS_CHANGED,
} from './banner-scripts.ts';
export { registerExtensionScripts } from './from-extensions.ts';
export { scriptRoutes } from './routes.ts';
export { getScriptUrlProblem } from './rules.ts';
export { addScripts } from './service.ts';
export { insertScript, listRegistry, type Script, updateScript } from './store.ts';
