/** What became, or would become, of what a source holds about a person. */
interface ErasureOutcome {
  erased?: number;
  anonymised?: number;
  /** With the reason as people are told it, and the ground of GDPR Art. 17(3), if it is one. */
  kept?: { count: number; reason: string; ground?: string }[];
}

export interface DsarSource {
  id: string;
  label: string;
  /** One page of what is held about a person; `next` is the cursor of the page after it, if any. */
  collect?(page: {
    email: string;
    cursor: string | null;
  }): Promise<{ records: Record<string, unknown>[]; next: string | null }>;
  /** Erases what is held about a person, and says what became of it; called again if it fails. */
  erase?(person: { email: string }): Promise<ErasureOutcome>;
  /** What `erase` would do, for the person who approves the erasure; it changes nothing. */
  preview?(person: { email: string }): Promise<ErasureOutcome>;
  /** Whether the person provided it, so that it is handed over on a request for portability. */
  portable?: boolean;
}

export interface ConsentScript {
  handle: string;
  label: string;
  category?: string;
  script_url?: string;
  blocking_method?: string;
}

export interface Vendor {
  slug: string;
  name: string;
  purpose?: string;
  category?: string;
  data_categories?: string[];
  default_retention?: string;
  domains?: string[];
  cookies?: string[];
}

/** What the callbacks of `svc_register_extensions` are given. True: the item is registered, unless the extension fails later. */
export interface Registrar {
  addDsarSource(source: DsarSource): boolean;
  addConsentScript(script: ConsentScript): boolean;
  addVendor(vendor: Vendor): boolean;
}

/** Which field of an item names it among its kind, and which is shown to people. */
const KINDS = {
  dsar_sources: { name: 'id', label: 'label' },
  consent_scripts: { name: 'handle', label: 'label' },
  vendors: { name: 'slug', label: 'name' },
} as const;

export interface Items {
  dsar_sources: DsarSource;
  consent_scripts: ConsentScript;
  vendors: Vendor;
}
export type Kind = keyof Items;

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const LABEL_MAX = 200;
// Lone surrogates as well: they cannot be written as UTF-8.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** A copy of an item with the name it goes by, or what is wrong with it; extensions pass anything. */
export function checkItem<K extends Kind>(
  kind: K,
  given: Items[K],
): { name: string; item: Readonly<Items[K]> } | { wrong: string } {
  const fields: unknown = given;
  if (!isRecord(fields)) return { wrong: `an item of ${kind} is not an object` };
  const names = KINDS[kind];
  const name = fields[names.name];
  if (typeof name !== 'string' || !NAME.test(name)) {
    return { wrong: `an item of ${kind} has a ${names.name} that does not match ${NAME.source}` };
  }
  const label = fields[names.label];
  const printable =
    typeof label === 'string' &&
    label.trim() !== '' &&
    label.length <= LABEL_MAX &&
    !UNPRINTABLE.test(label);
  if (!printable) {
    return {
      wrong: `"${name}" of ${kind} needs a ${names.label} of 1 to ${LABEL_MAX} printable characters`,
    };
  }
  const item = { ...given };
  if (kind === 'dsar_sources') {
    for (const method of ['collect', 'erase', 'preview']) {
      const call = fields[method];
      if (call === undefined) continue;
      if (typeof call !== 'function') {
        return { wrong: `"${name}" of ${kind} has a ${method} that is not a function` };
      }
      // It may be a method of a class: the copy would lose it, and it would lose its object.
      Object.assign(item, { [method]: call.bind(given) });
    }
  }
  return { name, item: Object.freeze(item) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
