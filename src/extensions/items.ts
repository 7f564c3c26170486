import { SLUG } from '../platform/http/schemas.ts';

interface ErasureOutcome {
  erased?: number;
  anonymised?: number;
  /** `reason` is for the person; `ground` is the ground of GDPR Art. 17(3), if there is one. */
  kept?: { count: number; reason: string; ground?: string }[];
}

export interface DsarSource {
  id: string;
  label: string;
  /** One page of the data about a person; `next` is the cursor of the next page. */
  collect?(page: {
    email: string;
    cursor: string | null;
  }): Promise<{ records: Record<string, unknown>[]; next: string | null }>;
  /** Erases the data about a person; called again if it fails. */
  erase?(person: { email: string }): Promise<ErasureOutcome>;
  /** What `erase` would do, for approval; changes nothing. */
  preview?(person: { email: string }): Promise<ErasureOutcome>;
  /** Whether the person provided the data, which makes it part of a portability response. */
  portable?: boolean;
}

export interface ConsentScript {
  handle: string;
  label: string;
  category?: string;
  script_url: string;
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
  privacy_url?: string;
}

/** The argument of `svc_register_extensions`. True: the item is registered, unless the extension fails later. */
export interface Registrar {
  addDsarSource(source: DsarSource): boolean;
  addConsentScript(script: ConsentScript): boolean;
  addVendor(vendor: Vendor): boolean;
}

/** The fields of an item that identify it and that people see. */
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

const NAME = new RegExp(SLUG);
const LABEL_MAX = 200;
// Lone surrogates too: they have no UTF-8 form.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** A copy of an item with its name, or what is wrong with it: JavaScript extensions can pass any value. */
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
  // Spreading leaves out accessors of a class.
  const item = { ...given, [names.name]: name, [names.label]: label };
  if (kind === 'dsar_sources') {
    Object.assign(item, { portable: fields.portable });
    for (const method of ['collect', 'erase', 'preview']) {
      const call = fields[method];
      if (call === undefined) continue;
      if (typeof call !== 'function') {
        return { wrong: `"${name}" of ${kind} has a ${method} that is not a function` };
      }
      // Bound, since it may be a method of a class.
      Object.assign(item, { [method]: call.bind(given) });
    }
  }
  return { name, item: Object.freeze(item) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
