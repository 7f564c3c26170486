/** Successive ids of consent records. */
export interface Span {
  first: number;
  last: number;
}

/** A span that a logged run or restore explains. */
export interface CoveredSpan extends Span {
  /** The id of the row in `consent_log_records`. */
  by: number;
}

/** The ids that runs of one kind explain. */
export class Coverage {
  /** In order, without overlap. */
  readonly #spans: CoveredSpan[] = [];

  constructor(spans: readonly CoveredSpan[]) {
    for (const span of spans.toSorted((a, b) => a.first - b.first || b.last - a.last)) {
      const end = this.#spans.at(-1)?.last ?? Number.NEGATIVE_INFINITY;
      if (span.last <= end) continue;
      this.#spans.push({ ...span, first: Math.max(span.first, end + 1) });
    }
  }

  has(id: number): boolean {
    const span = this.#spans[this.#find(id)];
    return span !== undefined && span.first <= id;
  }

  /** Divides ids into those that are covered and those that are not, in order. */
  *split(first: number, last: number): Generator<Span & { isCovered: boolean }> {
    let next = first;
    for (let at = this.#find(first); next <= last; at++) {
      const span = this.#spans[at];
      if (!span || span.first > last) break;
      if (span.first > next) yield { first: next, last: span.first - 1, isCovered: false };
      const start = Math.max(span.first, next);
      const end = Math.min(span.last, last);
      yield { first: start, last: end, isCovered: true };
      next = end + 1;
    }
    if (next <= last) yield { first: next, last, isCovered: false };
  }

  /** The position of the first span that does not end before an id. */
  #find(id: number): number {
    let [low, high] = [0, this.#spans.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#spans[middle]?.last ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
