import type { Logger } from '../log.ts';
import {
  type ConsentScript,
  checkItem,
  type DsarSource,
  type Items,
  type Kind,
  type Vendor,
} from './items.ts';

/** What the callbacks of `svc_register_extensions` are given. True: the item was taken down. */
export interface Registrar {
  addDsarSource(source: DsarSource): boolean;
  addConsentScript(script: ConsentScript): boolean;
  addVendor(vendor: Vendor): boolean;
}

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

/**
 * What extensions have registered. Items are drafts until `close`, so that an extension that fails
 * half-way leaves nothing behind and takes no name from another.
 */
export class ExtensionRegistry {
  readonly #log: Logger;
  readonly #problems: ExtensionProblem[] = [];
  readonly #kept: Kept = {
    dsar_sources: new Map(),
    consent_scripts: new Map(),
    vendors: new Map(),
  };
  readonly #refused = new Set<string>();
  #drafts: { extension: string; what: string; keep: () => boolean }[] = [];
  #open = true;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** What went wrong until registering was over. */
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

  /** Rolls back what an extension has registered and takes nothing more from it. */
  discard(extension: string): void {
    this.#refused.add(extension);
    this.#drafts = this.#drafts.filter((draft) => draft.extension !== extension);
  }

  /** Ends registering. Of two items of one name the first is kept and the second reported. */
  close(): void {
    for (const { extension, what, keep } of this.#drafts) {
      if (!keep()) this.report(extension, `${what} is already registered: the first one is kept`);
    }
    this.#drafts = [];
    this.#open = false;
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
    const late = !this.#open || this.#refused.has(extension);
    const checked = late
      ? { wrong: `registering is over: an item of ${kind} came too late` }
      : checkItem(kind, given);
    if ('wrong' in checked) {
      this.report(extension, checked.wrong);
      return false;
    }
    const { name, item } = checked;
    const kept: Map<string, Registered<Items[K]>> = this.#kept[kind];
    const keep = () => {
      if (kept.has(name)) return false;
      kept.set(name, Object.freeze({ extension, item }));
      return true;
    };
    this.#drafts.push({ extension, what: `"${name}" of ${kind}`, keep });
    return true;
  }
}
