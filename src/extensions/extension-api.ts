import type { ActionName, FilterName, HookArguments } from './catalogue.ts';

type Filtered<N extends FilterName> = HookArguments[N][0];

/** What it returns is ignored; a promise is awaited. */
export type ActionCallback<N extends ActionName> = (...args: HookArguments[N]) => unknown;
/** Returns the value to go on with; undefined leaves it as it was. */
export type FilterCallback<N extends FilterName> = (
  ...args: HookArguments[N]
) => Filtered<N> | undefined | Promise<Filtered<N> | undefined>;

/** Removes a callback; a second call does nothing. */
export type Remove = () => void;

/** What the default export of an extension is called with. Both methods throw a TypeError for an unknown hook. */
export interface ExtensionApi {
  /** Calls back whenever the action fires, lower priorities first; `svc_register_extensions` only until it fires. */
  addAction<N extends ActionName>(name: N, callback: ActionCallback<N>, priority?: number): Remove;
  /** The callback gets the value and returns what it shall be. */
  addFilter<N extends FilterName>(name: N, callback: FilterCallback<N>, priority?: number): Remove;
}

/** The default export of an extension. A promise is awaited, for 10 seconds at most. */
export type Extension = (pavis: ExtensionApi) => void | Promise<void>;
