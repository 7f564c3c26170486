/** The arguments of each action with data, added by declaration merging where hooks are documented. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface DataActions {}
/** The arguments of actions with live objects, which cannot be copied. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface LiveActions {}
/** The arguments of each filter; the first is the value that it may replace. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Filters {}

export type HookArguments = Arguments<DataActions & LiveActions & Filters>;
type Arguments<T> = { [N in keyof T]: T[N] extends unknown[] ? T[N] : never };

export type DataAction = keyof DataActions;
export type ActionName = DataAction | keyof LiveActions;
export type FilterName = keyof Filters;
export type HookName = ActionName | FilterName;
export type FilterValue<N extends FilterName> = HookArguments[N][0];

/** Its return value is ignored; a promise is awaited. */
export type ActionCallback<N extends ActionName> = (...args: HookArguments[N]) => unknown;
/** Returns the new value; undefined keeps the value as it is. */
export type FilterCallback<N extends FilterName> = (
  ...args: HookArguments[N]
) => FilterValue<N> | undefined | Promise<FilterValue<N> | undefined>;

/** Removes a callback; a second call does nothing. */
export type Remove = () => void;
