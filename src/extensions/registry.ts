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
  /** As the settings name it. */
  extension: string;
  message: string;
}

/** An item, and the extension it came with. */
export interface Registered<T> {
  readonly extension: string;
  readonly item: Readonly<T>;
}

type Kept = { readonly [K in Kind]: Map<string, Registered<Items[K]>> };

declare module '../platform/deps.ts' {
  interface Platform {
    extensions: ExtensionRegistry;
  }
}

/**
 * What extensions have registered. Extensions register one after the other, so each answer is final: nobody was
 * refused a name because of an extension that fails later and loses its items.
 */
export class ExtensionRegistry {
  readonly #log: Logger;
  readonly #problems: ExtensionProblem[] = [];
  readonly #kept: Kept = {
    dsar_sources: new Map(),
    consent_scripts: new Map(),
    vendors: new Map(),
  };
  /** Those that have failed, or had their turn. */
  readonly #over = new Set<string>();
  #open = true;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** What went wrong while registering, and callbacks that were removed because they gave no result. */
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

  /** What an extension registers with. It never throws; what is not taken is reported. */
  registrarFor(extension: string): Registrar {
    return Object.freeze({
      addDsarSource: (source: DsarSource) => this.#add('dsar_sources', extension, source),
      addConsentScript: (script: ConsentScript) => this.#add('consent_scripts', extension, script),
      addVendor: (vendor: Vendor) => this.#add('vendors', extension, vendor),
    });
  }

  /** Logs a problem with an extension, and lists it unless registering is over: no list for ever. */
  report(extension: string, problem: string): void {
    this.#log.warn({ extension, problem }, 'a problem with an extension');
    if (this.#open) this.#problems.push({ extension, message: problem });
  }

  /** Removes what an extension has registered and takes nothing more from it. */
  discard(extension: string): void {
    this.end(extension);
    for (const kept of Object.values(this.#kept)) {
      for (const [name, registered] of kept)
        if (registered.extension === extension) kept.delete(name);
    }
  }

  /** Ends the turn of an extension: it registers nothing more. */
  end(extension: string): void {
    this.#over.add(extension);
  }

  /** Ends registering. */
  close(): void {
    this.#open = false;
  }

  /** Lists a problem of a running extension, once. */
  reportFailing(extension: string, problem: string): void {
    const isKnown = this.#problems.some(
      (each) => each.extension === extension && each.message === problem,
    );
    if (isKnown) return;
    this.#log.warn({ extension, problem }, 'a problem with an extension');
    this.#problems.push({ extension, message: problem });
  }

  /** The answer of `GET /developer/extensions`. */
  listing() {
    const extensions = {
      dsar_sources: this.dsarSources.map(({ item: { id, label } }) => ({ id, label })),
      consent_scripts: this.consentScripts.map(({ item: { handle, label } }) => ({
        handle,
        label,
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
    const late = !this.#open || this.#over.has(extension);
    const checked = late
      ? { wrong: `registering is over: an item of ${kind} came too late` }
      : checkItem(kind, given);
    if ('wrong' in checked) {
      this.report(extension, checked.wrong);
      return false;
    }
    const { name, item } = checked;
    const kept: Map<string, Registered<Items[K]>> = this.#kept[kind];
    if (kept.has(name)) {
      this.report(extension, `"${name}" of ${kind} is already registered: the first one is kept`);
      return false;
    }
    kept.set(name, Object.freeze({ extension, item }));
    return true;
  }
}
