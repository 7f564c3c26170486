import type { Logger } from '../log.ts';
import type {
  ActionCallback,
  ActionName,
  DataAction,
  FilterCallback,
  FilterName,
  FilterValue,
  HookArguments,
  HookName,
  Remove,
} from './callbacks.ts';
import { TimeoutError, toError, withTimeout } from './timeout.ts';

type FilterContext<N extends FilterName> = HookArguments[N] extends [unknown, ...infer Rest]
  ? Rest
  : never;

interface DocumentedHook {
  readonly type: 'action' | 'filter';
  readonly name: string;
}

interface Listener {
  call(args: unknown): unknown;
  extension: string;
  priority: number;
  removed: boolean;
  remove: Remove;
}

/** Who adds a callback when no extension is named. */
const OWN = 'Pavis itself';
const PATIENCE = 10_000;
/** The longest that one callback holds up the next, or the value that it filters. */
const TURN = 1_000;

/** Actions and filters: where other code joins in, without being able to do harm by failing. */
export class Hooks {
  readonly #log: Logger;
  readonly #documented: ReadonlySet<string>;
  /** How long a callback is awaited, in milliseconds. */
  readonly patience: number;
  readonly #turn: number;
  /** Hears of a callback that was removed because it gave no result. */
  onHang: (extension: string, problem: string) => void = () => {};
  readonly #listeners = new Map<HookName, readonly Listener[]>();

  /** @param documented the hooks that there are; a callback for any other name is refused */
  constructor(log: Logger, documented: Iterable<DocumentedHook>, patience = PATIENCE) {
    this.#log = log;
    this.#documented = new Set([...documented].map(({ type, name }) => `${type} ${name}`));
    this.patience = patience;
    this.#turn = Math.min(TURN, patience);
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
    return this.#add('action', name, callback, { call, priority, extension });
  }

  /** The same for a filter: the callback gets the value and returns what it shall be. */
  addFilter<N extends FilterName>(
    name: N,
    callback: FilterCallback<N>,
    priority = 10,
    extension = OWN,
  ): Remove {
    const call = (args: unknown) => callback(...(args as HookArguments[N]));
    return this.#add('filter', name, callback, { call, priority, extension });
  }

  /**
   * Runs the listeners of an action after the response was sent. Costs nothing where
   * nobody listens.
   * @param args makes the arguments if they are needed
   */
  announce<N extends DataAction>(name: N, args: () => HookArguments[N]): void {
    if ((this.#listeners.get(name) ?? []).length === 0) return;
    const made = args();
    setImmediate(() => void this.doAction(name, ...made));
  }

  /**
   * Fires an action and waits until every callback has settled or been given up. A callback is called when the one
   * before has settled, or after a second. Never rejects.
   */
  async doAction<N extends DataAction>(name: N, ...args: HookArguments[N]): Promise<void> {
    const calls: Promise<void>[] = [];
    for (const listener of this.#listeners.get(name) ?? []) {
      if (listener.removed) continue;
      const copy = structuredClone(args);
      const call = withTimeout(this.patience, () => listener.call(copy)).then(
        () => {},
        (thrown) => this.#logFailure(name, listener.extension, thrown),
      );
      calls.push(call);
      await withTimeout(this.#turn, () => call).catch(() => {});
    }
    await Promise.all(calls);
  }

  /** The extensions with callbacks of an action, in the order in which their first ones are called. */
  listExtensions(name: ActionName): string[] {
    return [...new Set((this.#listeners.get(name) ?? []).map(({ extension }) => extension))];
  }

  /**
   * Fires an action for one extension, each callback when the one before has settled.
   * @param onFailure hears of a callback that threw, rejected or was given up, before the next is called
   */
  async eachListener<N extends ActionName>(
    name: N,
    makeArguments: () => HookArguments[N],
    onFailure: (extension: string, thrown: unknown) => void,
    extension: string,
  ): Promise<void> {
    for (const listener of this.#listeners.get(name) ?? []) {
      if (listener.removed || listener.extension !== extension) continue;
      try {
        const args = makeArguments();
        await withTimeout(this.patience, () => listener.call(args));
      } catch (thrown) {
        onFailure(listener.extension, thrown);
      }
    }
  }

  /**
   * The value after each callback has had its turn with what the one before returned. One that fails,
   * returns undefined or something of another kind leaves it as it was. One that gives no result within a second
   * is removed and reported, so that it holds up one value and not thousands. Never rejects.
   */
  async applyFilters<N extends FilterName>(
    name: N,
    value: FilterValue<N>,
    ...context: FilterContext<N>
  ): Promise<FilterValue<N>> {
    let current = value;
    for (const listener of this.#listeners.get(name) ?? []) {
      if (listener.removed) continue;
      try {
        // A copy, so that one which changes its argument and then fails has changed nothing.
        const args = structuredClone([current, ...context]);
        const result = await withTimeout(this.#turn, () => listener.call(args));
        if (result === undefined) continue;
        if (kindOf(result) !== kindOf(current)) {
          throw new TypeError(`returned ${kindOf(result)} in place of ${kindOf(current)}`);
        }
        current = result as FilterValue<N>;
      } catch (thrown) {
        // Several values may wait for the same callback: one of them tells.
        if (thrown instanceof TimeoutError && listener.removed) continue;
        this.#logFailure(name, listener.extension, thrown);
        if (!(thrown instanceof TimeoutError)) continue;
        listener.remove();
        const problem = `${name}: ${thrown.message}. The callback is not called again until the next start.`;
        this.onHang(listener.extension, problem);
      }
    }
    return current;
  }

  #add(
    type: 'action' | 'filter',
    name: HookName,
    callback: unknown,
    adding: Pick<Listener, 'call' | 'extension' | 'priority'>,
  ): Remove {
    // Extensions are mostly plain JavaScript: what the types say is checked here as well.
    if (!this.#documented.has(`${type} ${name}`)) {
      throw new TypeError(`there is no ${type} "${String(name)}"`);
    }
    if (typeof callback !== 'function') {
      throw new TypeError(`the callback of ${name} is not a function`);
    }
    if (!Number.isFinite(adding.priority)) {
      throw new TypeError(`the priority of a callback of ${name} is not a number`);
    }
    const remove = () => {
      listener.removed = true;
      const kept = (this.#listeners.get(name) ?? []).filter((other) => other !== listener);
      this.#listeners.set(name, kept);
    };
    const listener: Listener = { ...adding, removed: false, remove };
    // A new list each time: one that is being gone through stays as it is. The sort is stable.
    const others = this.#listeners.get(name) ?? [];
    this.#listeners.set(
      name,
      [...others, listener].sort((a, b) => a.priority - b.priority),
    );
    return remove;
  }

  #logFailure(hook: HookName, extension: string, thrown: unknown): void {
    this.#log.error({ err: toError(thrown), hook, extension }, 'a callback of a hook failed');
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value;
}
