interface Pattern<T> {
  readonly literals: readonly string[];
  /** Characters other than `*`. */
  readonly weight: number;
  readonly values: T[];
}

/**
 * Names and name patterns (`*` stands for any characters, also none) with the values that are known
 * for each. A look-up costs as many map reads as there are different lengths of literal starts, not
 * as many as there are patterns.
 */
export class NamePatterns<T> {
  readonly #exact = new Map<string, T[]>();
  /** Patterns by what comes before their first `*`. */
  readonly #byStart = new Map<string, Map<string, Pattern<T>>>();
  /** How long those starts are, by their first character. */
  readonly #startLengths = new Map<string, Set<number>>();

  /** A pattern of stars alone would match everything, so it is left out. */
  add(pattern: string, value: T): void {
    if (pattern.replaceAll('*', '') === '') return;
    if (!pattern.includes('*')) {
      const known = this.#exact.get(pattern);
      if (known) known.push(value);
      else this.#exact.set(pattern, [value]);
      return;
    }
    const literals = pattern.split('*');
    const start = literals[0] ?? '';
    let patterns = this.#byStart.get(start);
    if (!patterns) {
      patterns = new Map();
      this.#byStart.set(start, patterns);
      const initial = start.charAt(0);
      const lengths = this.#startLengths.get(initial) ?? new Set();
      this.#startLengths.set(initial, lengths.add(start.length));
    }
    const known = patterns.get(pattern);
    if (known) known.values.push(value);
    else patterns.set(pattern, { literals, weight: literals.join('').length, values: [value] });
  }

  /** What is known for a name, best first: the exact name, then patterns by the length of their literal part. Equals share a list, in the order they were added. */
  find(name: string): readonly (readonly T[])[] {
    const exact = this.#exact.get(name);
    const byWeight = new Map<number, T[]>();
    // Patterns that begin with a star have no first character.
    for (const initial of new Set([name.charAt(0), ''])) {
      for (const length of this.#startLengths.get(initial) ?? []) {
        const patterns = this.#byStart.get(name.slice(0, length));
        for (const { literals, weight, values } of patterns?.values() ?? []) {
          if (!matches(name, literals)) continue;
          byWeight.set(weight, [...(byWeight.get(weight) ?? []), ...values]);
        }
      }
    }
    const ranked = [...byWeight].sort(([a], [b]) => b - a).map(([, values]) => values);
    return exact ? [exact, ...ranked] : ranked;
  }
}

/** Takes the first place for each literal, which is enough, so that no name can make it go back and forth. */
function matches(name: string, literals: readonly string[]): boolean {
  const first = literals[0] ?? '';
  const last = literals.at(-1) ?? '';
  const end = name.length - last.length;
  if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const literal of literals.slice(1, -1)) {
    const found = name.indexOf(literal, at);
    if (found < 0 || found + literal.length > end) return false;
    at = found + literal.length;
  }
  return true;
}
