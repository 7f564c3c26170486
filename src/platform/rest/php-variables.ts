/** PHP's defaults of `max_input_vars` and `max_input_nesting_level`. */
const MAX_VARIABLES = 1_000;
const MAX_NESTING = 64;

const MAX_INDEX = 2n ** 63n - 1n;
const INDEX = /^(?:0|-?[1-9]\d{0,18})$/;
/** `[key]`, or `[]` for the next index; empty brackets may contain a space (C's `isspace`). */
const BRACKETS = /\[(?:[ \t-\r]?\]|([^\]]*)\])/y;

type Value = string | PhpArray;

/**
 * Reads pairs of a query or form as PHP's `parse_str` does (docs/adr/0009): `a[]` and `a[0]` make lists, `a[k]` makes an
 * object, the last of a name wins, dots and spaces in names become underscores. Pairs after the thousandth and names
 * that are nested too deeply are dropped. An array with integer keys only is a list of its values, as in WordPress
 * (`wp_is_numeric_array`, `rest_sanitize_array`).
 * @param pairs decoded; values that are no text (uploaded files) are ignored
 */
export function parsePhpVariables(pairs: Iterable<[string, unknown]>): Record<string, unknown> {
  const variables = new PhpArray();
  let count = 0;
  for (const [name, value] of pairs) {
    if (typeof value !== 'string') continue;
    if (++count > MAX_VARIABLES) break;
    const [variable, ...keys] = parseName(name);
    if (variable === undefined) continue;
    if (keys.length > MAX_NESTING) variables.values.delete(variable);
    else variables.put(variable, keys, value);
  }
  return variables.toObject();
}

/** A variable and its keys, null for the next index; empty where PHP finds no name. */
function parseName(text: string): [variable?: string, ...keys: (string | null)[]] {
  const name = (text.split('\0', 1)[0] as string).replace(/^ +/, '');
  if (name === '' || name.startsWith('[')) return [];
  const keys: (string | null)[] = [];
  const open = name.indexOf('[');
  if (open > 0) {
    BRACKETS.lastIndex = open;
    for (let found = BRACKETS.exec(name); found; found = BRACKETS.exec(name))
      keys.push(found[1] ?? null);
  }
  const variable = keys.length > 0 ? name.slice(0, open) : name;
  return [variable.replace(/[ .[]/g, '_'), ...keys];
}

/** A Map, because names could overwrite the prototype of an object. */
class PhpArray {
  readonly values = new Map<string, Value>();
  #next: bigint | undefined;

  /** Sets a nested value; anything but an array on its way is replaced by one. */
  put(key: string | null, [within, ...deeper]: readonly (string | null)[], value: string): void {
    const place = key ?? this.#nextIndex();
    if (place === undefined) return;
    if (within === undefined) {
      this.#set(place, value);
      return;
    }
    const known = this.values.get(place);
    const array = known instanceof PhpArray ? known : new PhpArray();
    if (array !== known) this.#set(place, array);
    array.put(within, deeper, value);
  }

  toObject(): Record<string, unknown> {
    return Object.fromEntries([...this.values].map(([key, value]) => [key, toPlain(value)]));
  }

  toPlain(): unknown {
    if ([...this.values.keys()].every(isIndex)) return [...this.values.values()].map(toPlain);
    return this.toObject();
  }

  #set(key: string, value: Value): void {
    this.values.set(key, value);
    if (!isIndex(key)) return;
    const index = BigInt(key);
    if (this.#next === undefined || index >= this.#next)
      this.#next = index < MAX_INDEX ? index + 1n : MAX_INDEX;
  }

  /** Undefined after the largest integer. */
  #nextIndex(): string | undefined {
    const next = String(this.#next ?? 0n);
    return this.values.has(next) ? undefined : next;
  }
}

const toPlain = (value: Value): unknown => (typeof value === 'string' ? value : value.toPlain());

/** Whether PHP stores an array key as an integer. */
export const isIndex = (key: string): boolean =>
  INDEX.test(key) && BigInt.asIntN(64, BigInt(key)) === BigInt(key);
