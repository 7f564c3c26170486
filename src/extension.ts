/** What authors of extensions import as `pavis/extension`: types and nothing else. */
export type { ActionName, FilterName, HookArguments } from './platform/hooks/catalogue.ts';
export type {
  ActionCallback,
  Extension,
  ExtensionApi,
  FilterCallback,
  Remove,
} from './platform/hooks/extension-api.ts';
export type { ConsentScript, DsarSource, Registrar, Vendor } from './platform/hooks/items.ts';
