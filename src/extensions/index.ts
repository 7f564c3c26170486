import './catalogue.ts';

/** `pavis/extension`: types for authors of extensions. */
export type {
  ActionCallback,
  ActionName,
  FilterCallback,
  FilterName,
  HookArguments,
  Remove,
} from '../platform/hooks/callbacks.ts';
export type { Extension, ExtensionApi } from './extension-api.ts';
export type { ConsentScript, DsarSource, Registrar, Vendor } from './items.ts';
