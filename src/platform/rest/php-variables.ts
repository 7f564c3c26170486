/** PHP's `max_input_vars` and `max_input_nesting_level`, as PHP comes. */
const MAX_VARIABLES = 1_000;
const MAX_NESTING = 64;

const MAX_INDEX = 2n ** 63n - 1n;
const INDEX = /^(?:0|-?[1-9]\d{0,18})$/;
/** `[key]`, or `[]` for the next index; C's `isspace` may stand in empty brackets. */
const BRACKETS = /\[(?:[ \t-\r]?\]|([^\]]*)\])/y;

type Value = string | PhpArray;

/**
 * Reads the pairs of a query or a form as PHP's `parse_str` does: `a[]` and `a[0]` make lists, `a[k]`
 * makes an object, the last of a name wins, dots and spaces in names become underscores. What PHP
 * drops is dropped: all after the thousandth pair, and names that are nested too deeply.
 * An array whose keys are all integers is a list of its values, as WordPress reads it
 * (`wp_is_numeric_array`, `rest_sanitize_array`).
 * @param pairs names and values, decoded; a value that is no text (an uploaded file) is left out
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

/** The variable and the keys within it, null for the next index; empty where PHP reads no name. */
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

/** An ordered map, whose keys may be integers. A Map, since a plain object has a prototype to overwrite. */
class PhpArray {
  readonly values = new Map<string, Value>();
  #next: bigint | undefined;

  /** Sets what the keys lead to below `key`, and makes an array of whatever stands in their way. */
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

  /** None after the largest integer. */
  #nextIndex(): string | undefined {
    const next = String(this.#next ?? 0n);
    return this.values.has(next) ? undefined : next;
  }
}

const toPlain = (value: Value): unknown => (typeof value === 'string' ? value : value.toPlain());

/** Whether PHP keeps a key of an array as an integer. */
export const isIndex = (key: string): boolean =>
  INDEX.test(key) && BigInt.asIntN(64, BigInt(key)) === BigInt(key);
