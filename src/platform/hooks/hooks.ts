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

const OWN = 'Pavis itself';
const TIMEOUT_MS = 10_000;
/** The longest that one callback delays the next, or the value that it filters. */
const TURN_MS = 1_000;

/** Actions and filters for extensions. A callback that fails changes nothing else. */
export class Hooks {
  readonly #log: Logger;
  readonly #documented: ReadonlySet<string>;
  /** How long a callback is awaited. */
  readonly timeoutMs: number;
  readonly #turnMs: number;
  /** Called when a callback was removed because it returned nothing in time. */
  onHang: (extension: string, problem: string) => void = () => {};
  readonly #listeners = new Map<HookName, readonly Listener[]>();

  /** @param documented callbacks for other hooks are refused */
  constructor(log: Logger, documented: Iterable<DocumentedHook>, timeoutMs = TIMEOUT_MS) {
    this.#log = log;
    this.#documented = new Set([...documented].map(({ type, name }) => `${type} ${name}`));
    this.timeoutMs = timeoutMs;
    this.#turnMs = Math.min(TURN_MS, timeoutMs);
  }

  /**
   * Callbacks with lower priorities run first, then in the order in which they were added.
   * @throws TypeError for an unknown action or an invalid callback
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

  /** Like `addAction`, for a filter. */
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
   * Fires an action after the response was sent.
   * @param args called only if there are callbacks
   */
  announce<N extends DataAction>(name: N, args: () => HookArguments[N]): void {
    if ((this.#listeners.get(name) ?? []).length === 0) return;
    const made = args();
    setImmediate(() => void this.doAction(name, ...made));
  }

  /** Fires an action and awaits all callbacks, each started when the one before has settled or after a second. Never rejects. */
  async doAction<N extends DataAction>(name: N, ...args: HookArguments[N]): Promise<void> {
    const calls: Promise<void>[] = [];
    for (const listener of this.#listeners.get(name) ?? []) {
      if (listener.removed) continue;
      const copy = structuredClone(args);
      const call = withTimeout(this.timeoutMs, () => listener.call(copy)).then(
        () => {},
        (thrown) => this.#logFailure(name, listener.extension, thrown),
      );
      calls.push(call);
      await withTimeout(this.#turnMs, () => call).catch(() => {});
    }
    await Promise.all(calls);
  }

  listExtensions(name: ActionName): string[] {
    return [...new Set((this.#listeners.get(name) ?? []).map(({ extension }) => extension))];
  }

  /**
   * Fires an action for one extension, one callback after the other.
   * @param onFailure called when a callback threw, rejected or timed out, before the next is called
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
        await withTimeout(this.timeoutMs, () => listener.call(args));
      } catch (thrown) {
        onFailure(listener.extension, thrown);
      }
    }
  }

  /**
   * The value after all callbacks. One that fails or returns undefined or another type leaves it unchanged. One that
   * returns nothing within a second is removed and reported, so that it delays one value and not thousands. Never rejects.
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
        // A copy, so that a callback which changes its argument and then fails has no effect.
        const args = structuredClone([current, ...context]);
        const result = await withTimeout(this.#turnMs, () => listener.call(args));
        if (result === undefined) continue;
        if (describeType(result) !== describeType(current)) {
          throw new TypeError(
            `returned ${describeType(result)} in place of ${describeType(current)}`,
          );
        }
        // A copy again: what cannot be copied is a fault of this callback, not of the next one.
        current = structuredClone(result as FilterValue<N>);
      } catch (thrown) {
        // Several values may wait for one callback: one of them reports it.
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
    // Extensions are mostly JavaScript without types.
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
    // A new array: another may be iterating over the old one. The sort is stable.
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

function describeType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value;
}
