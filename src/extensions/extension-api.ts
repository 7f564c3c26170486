import type {
  ActionCallback,
  ActionName,
  FilterCallback,
  FilterName,
  Remove,
} from '../platform/hooks/callbacks.ts';

/** The argument of an extension's function. Both methods throw a TypeError for an unknown hook. */
export interface ExtensionApi {
  /** Lower priorities run first. `svc_register_extensions` accepts callbacks until it fires. */
  addAction<N extends ActionName>(name: N, callback: ActionCallback<N>, priority?: number): Remove;
  /** The callback receives the value and returns the new one. */
  addFilter<N extends FilterName>(name: N, callback: FilterCallback<N>, priority?: number): Remove;
}

/** The default export of an extension. A promise is awaited for up to 10 seconds. */
export type Extension = (pavis: ExtensionApi) => void | Promise<void>;
