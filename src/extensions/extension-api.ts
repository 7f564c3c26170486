import type {
  ActionCallback,
  ActionName,
  FilterCallback,
  FilterName,
  Remove,
} from '../platform/hooks/callbacks.ts';

/** What the default export of an extension is called with. Both methods throw a TypeError for an unknown hook. */
export interface ExtensionApi {
  /** Calls back whenever the action fires, lower priorities first; `svc_register_extensions` only until it fires. */
  addAction<N extends ActionName>(name: N, callback: ActionCallback<N>, priority?: number): Remove;
  /** The callback gets the value and returns what it shall be. */
  addFilter<N extends FilterName>(name: N, callback: FilterCallback<N>, priority?: number): Remove;
}

/** The default export of an extension. A promise is awaited, for 10 seconds at most. */
export type Extension = (pavis: ExtensionApi) => void | Promise<void>;
