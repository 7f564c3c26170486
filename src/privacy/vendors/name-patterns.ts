interface Pattern<T> {
  readonly literals: readonly string[];
  /** Number of characters other than `*`. */
  readonly weight: number;
  readonly values: T[];
}

/** Names and name patterns (`*` stands for any characters, also none) with the values of each. */
export class NamePatterns<T> {
  readonly #exact = new Map<string, T[]>();
  readonly #patterns = new Map<string, Pattern<T>>();

  /** A pattern of stars alone would match everything, so it is left out. */
  add(pattern: string, value: T): void {
    const literals = pattern.split('*');
    const weight = literals.join('').length;
    if (weight === 0) return;
    if (literals.length === 1) {
      this.#exact.set(pattern, [...(this.#exact.get(pattern) ?? []), value]);
      return;
    }
    const { values = [] } = this.#patterns.get(pattern) ?? {};
    this.#patterns.set(pattern, { literals, weight, values: [...values, value] });
  }

  /** The values for a name: of the exact name first, then of patterns by the length of their literal part. Equals share a list, in the order they were added. */
  find(name: string): readonly (readonly T[])[] {
    const exact = this.#exact.get(name);
    const matching = [...this.#patterns.values()].filter(({ literals }) => matches(name, literals));
    const ranked = [...Map.groupBy(matching, ({ weight }) => weight)]
      .sort(([a], [b]) => b - a)
      .map(([, patterns]) => patterns.flatMap(({ values }) => values));
    return exact ? [exact, ...ranked] : ranked;
  }
}

/** Takes the first place of each literal, which is enough, so that no name can cause backtracking. */
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
