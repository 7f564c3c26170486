import { formatErrorMessage } from '../platform/hooks/timeout.ts';
import type { Logger } from '../platform/log.ts';
import {
  type ConsentScript,
  checkItem,
  type DsarSource,
  type Items,
  type Kind,
  type Registrar,
  type Vendor,
} from './items.ts';

export interface ExtensionProblem {
  /** The name in PAVIS_EXTENSIONS. */
  extension: string;
  message: string;
}

export interface Registered<T> {
  readonly extension: string;
  readonly item: Readonly<T>;
}

declare module '../platform/deps.ts' {
  interface Platform {
    extensions: ExtensionRegistry;
  }
}

/**
 * Items that extensions have registered. Extensions register one after the other, so a name is never refused because of
 * an extension that fails later and loses its items.
 */
export class ExtensionRegistry {
  readonly #log: Logger;
  readonly #reservedSources: ReadonlySet<string>;
  readonly #problems: ExtensionProblem[] = [];
  readonly #kept: { readonly [K in Kind]: Map<string, Registered<Items[K]>> } = {
    dsar_sources: new Map(),
    consent_scripts: new Map(),
    vendors: new Map(),
  };
  /** Extensions that have failed or have finished registering. */
  readonly #ended = new Set<string>();
  #isOpen = true;

  /** @param reservedSources ids of our own sources of personal data, which extensions cannot register */
  constructor(log: Logger, reservedSources: Iterable<string> = []) {
    this.#log = log;
    this.#reservedSources = new Set(reservedSources);
  }

  /** Failed registrations, and callbacks that were removed because they did not return. */
  get problems(): readonly ExtensionProblem[] {
    return this.#problems;
  }

  get dsarSources(): readonly Registered<DsarSource>[] {
    return [...this.#kept.dsar_sources.values()];
  }

  get consentScripts(): readonly Registered<ConsentScript>[] {
    return [...this.#kept.consent_scripts.values()];
  }

  get vendors(): readonly Registered<Vendor>[] {
    return [...this.#kept.vendors.values()];
  }

  /** Its methods never throw: rejected items are reported. */
  createRegistrar(extension: string): Registrar {
    return Object.freeze({
      addDsarSource: (source: DsarSource) => this.#add('dsar_sources', extension, source),
      addConsentScript: (script: ConsentScript) => this.#add('consent_scripts', extension, script),
      addVendor: (vendor: Vendor) => this.#add('vendors', extension, vendor),
    });
  }

  /** Logs a problem, and lists it while extensions register, so that the list stays short. */
  report(extension: string, problem: string): void {
    this.#log.warn({ extension, problem }, 'a problem with an extension');
    if (this.#isOpen) this.#problems.push({ extension, message: problem });
  }

  /** Removes the items of an extension and ends its registering. */
  discard(extension: string): void {
    this.end(extension);
    for (const kept of Object.values(this.#kept)) {
      for (const [name, registered] of kept)
        if (registered.extension === extension) kept.delete(name);
    }
  }

  end(extension: string): void {
    this.#ended.add(extension);
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Logs and lists a problem that was found after the extensions had registered, once. */
  reportOnce(extension: string, problem: string): void {
    const isKnown = this.#problems.some(
      (each) => each.extension === extension && each.message === problem,
    );
    if (isKnown) return;
    this.#log.warn({ extension, problem }, 'a problem with an extension');
    this.#problems.push({ extension, message: problem });
  }

  /** Removes an item that cannot be used, and reports why. */
  reject(kind: Kind, name: string, problem: string): void {
    const registered = this.#kept[kind].get(name);
    if (!registered) return;
    this.#kept[kind].delete(name);
    this.reportOnce(registered.extension, problem);
  }

  /** The answer of `GET /developer/extensions`. */
  listing() {
    const extensions = {
      dsar_sources: this.dsarSources.map(({ item: { id, label } }) => ({ id, label })),
      consent_scripts: this.consentScripts.map(({ item }) => ({
        handle: item.handle,
        label: item.label,
      })),
      vendors: this.vendors.map(({ item: { slug, name } }) => ({ slug, name })),
    };
    const totals = {
      dsar_sources: extensions.dsar_sources.length,
      consent_scripts: extensions.consent_scripts.length,
      vendors: extensions.vendors.length,
    };
    return { extensions, totals };
  }

  #add<K extends Kind>(kind: K, extension: string, given: Items[K]): boolean {
    const late = !this.#isOpen || this.#ended.has(extension);
    const checked = late
      ? { wrong: `registering is over: an item of ${kind} came too late` }
      : readItem(kind, given);
    if ('wrong' in checked) {
      this.report(extension, checked.wrong);
      return false;
    }
    const { name, item } = checked;
    if (kind === 'dsar_sources' && this.#reservedSources.has(name)) {
      this.report(extension, `"${name}" of ${kind} is the name of a source of Pavis`);
      return false;
    }
    const kept: Map<string, Registered<Items[K]>> = this.#kept[kind];
    if (kept.has(name)) {
      this.report(extension, `"${name}" of ${kind} is already registered: the first one is kept`);
      return false;
    }
    kept.set(name, Object.freeze({ extension, item }));
    return true;
  }
}

/** As `checkItem`, also for an item whose accessors throw: an extension must not lose its other items to it. */
function readItem<K extends Kind>(kind: K, given: Items[K]): ReturnType<typeof checkItem<K>> {
  try {
    return checkItem(kind, given);
  } catch (thrown) {
    return { wrong: `an item of ${kind} cannot be read: ${formatErrorMessage(thrown)}` };
  }
}
