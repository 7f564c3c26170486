import type { Logger } from '../log.ts';
import {
  type ActionName,
  type FilterName,
  HOOK_CATALOGUE,
  type HookArguments,
} from './catalogue.ts';
import { asError, settleWithin } from './settle.ts';

type HookName = ActionName | FilterName;
/** Payloads are plain data, copied for each callback; only registering hands out something live. */
export type DataAction = Exclude<ActionName, 'svc_register_extensions'>;
type Filtered<N extends FilterName> = HookArguments[N][0];
type FilterContext<N extends FilterName> = HookArguments[N] extends [unknown, ...infer Rest]
  ? Rest
  : never;

/** What it returns is ignored; a promise is awaited. */
export type ActionCallback<N extends ActionName> = (...args: HookArguments[N]) => unknown;
/** Returns the value to go on with; undefined leaves it as it was. */
export type FilterCallback<N extends FilterName> = (
  ...args: HookArguments[N]
) => Filtered<N> | undefined | Promise<Filtered<N> | undefined>;

/** Takes a callback out again; a second call does nothing. */
export type Remove = () => void;

interface Listener {
  call(args: unknown): unknown;
  extension: string;
  priority: number;
  removed: boolean;
}

/** Who adds a callback when no extension is named. */
const OWN = 'Pavis itself';
const PATIENCE = 10_000;

/** Actions and filters: where other code joins in, without being able to do harm by failing. */
export class Hooks {
  readonly #log: Logger;
  /** How long a callback is awaited, in milliseconds. */
  readonly patience: number;
  readonly #listeners = new Map<HookName, readonly Listener[]>();

  constructor(log: Logger, patience = PATIENCE) {
    this.#log = log;
    this.patience = patience;
  }

  /**
   * Calls back whenever the action fires: lower priorities first, then in the order of adding.
   * @throws TypeError for a name that the catalogue does not have as an action, or a wrong callback
   */
  addAction<N extends ActionName>(
    name: N,
    callback: ActionCallback<N>,
    priority = 10,
    extension = OWN,
  ): Remove {
    const call = (args: unknown) => callback(...(args as HookArguments[N]));
    return this.#add('action', name, callback, { call, priority, extension, removed: false });
  }

  /** The same for a filter: the callback gets the value and returns what it shall be. */
  addFilter<N extends FilterName>(
    name: N,
    callback: FilterCallback<N>,
    priority = 10,
    extension = OWN,
  ): Remove {
    const call = (args: unknown) => callback(...(args as HookArguments[N]));
    return this.#add('filter', name, callback, { call, priority, extension, removed: false });
  }

  /**
   * Tells listeners of an action, once whoever it happened to has been answered. Costs nothing where
   * nobody listens.
   * @param args makes the arguments if they are needed
   */
  announce<N extends DataAction>(name: N, args: () => HookArguments[N]): void {
    if ((this.#listeners.get(name) ?? []).length === 0) return;
    const made = args();
    setImmediate(() => void this.doAction(name, ...made));
  }

  /** Fires an action and waits until every callback has settled or been given up. Never rejects. */
  doAction<N extends DataAction>(name: N, ...args: HookArguments[N]): Promise<void> {
    return this.eachListener(
      name,
      () => structuredClone(args),
      (extension, thrown) => this.#logFailure(name, extension, thrown),
    );
  }

  /**
   * Fires an action with arguments made for each extension.
   * @param onFailure hears of a callback that threw, rejected or was given up, before the next is called
   */
  async eachListener<N extends ActionName>(
    name: N,
    argumentsFor: (extension: string) => HookArguments[N],
    onFailure: (extension: string, thrown: unknown) => void,
  ): Promise<void> {
    for (const listener of this.#listeners.get(name) ?? []) {
      if (listener.removed) continue;
      try {
        const args = argumentsFor(listener.extension);
        await settleWithin(this.patience, () => listener.call(args));
      } catch (thrown) {
        onFailure(listener.extension, thrown);
      }
    }
  }

  /**
   * The value after each callback has had its turn with what the one before returned. One that fails,
   * returns undefined or something of another kind leaves it as it was. Never rejects.
   */
  async applyFilters<N extends FilterName>(
    name: N,
    value: Filtered<N>,
    ...context: FilterContext<N>
  ): Promise<Filtered<N>> {
    let current = value;
    for (const listener of this.#listeners.get(name) ?? []) {
      if (listener.removed) continue;
      try {
        // A copy, so that one which changes its argument and then fails has changed nothing.
        const args = structuredClone([current, ...context]);
        const result = await settleWithin(this.patience, () => listener.call(args));
        if (result === undefined) continue;
        if (kindOf(result) !== kindOf(current)) {
          throw new TypeError(`returned ${kindOf(result)} in place of ${kindOf(current)}`);
        }
        current = result as Filtered<N>;
      } catch (thrown) {
        this.#logFailure(name, listener.extension, thrown);
      }
    }
    return current;
  }

  #add(type: 'action' | 'filter', name: HookName, callback: unknown, listener: Listener): Remove {
    // Extensions are mostly plain JavaScript: what the types say is checked here as well.
    if (!HOOK_CATALOGUE.some((hook) => hook.type === type && hook.name === name)) {
      throw new TypeError(`there is no ${type} "${String(name)}"`);
    }
    if (typeof callback !== 'function') {
      throw new TypeError(`the callback of ${name} is not a function`);
    }
    if (!Number.isFinite(listener.priority)) {
      throw new TypeError(`the priority of a callback of ${name} is not a number`);
    }
    // A new list each time: one that is being gone through stays as it is. The sort is stable.
    const others = this.#listeners.get(name) ?? [];
    this.#listeners.set(
      name,
      [...others, listener].sort((a, b) => a.priority - b.priority),
    );
    return () => {
      listener.removed = true;
      const kept = (this.#listeners.get(name) ?? []).filter((other) => other !== listener);
      this.#listeners.set(name, kept);
    };
  }

  #logFailure(hook: HookName, extension: string, thrown: unknown): void {
    this.#log.error({ err: asError(thrown), hook, extension }, 'a callback of a hook failed');
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value;
}
