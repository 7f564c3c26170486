/** What authors of extensions import as `pavis/extension`: types and nothing else. */
export type { ActionName, FilterName, HookArguments } from './catalogue.ts';
export type {
  ActionCallback,
  Extension,
  ExtensionApi,
  FilterCallback,
  Remove,
} from './extension-api.ts';
export type { ConsentScript, DsarSource, Registrar, Vendor } from './items.ts';
