/** Slower requests do not delay the visit. */
const LONG_MS = 1_000;
/** How long a body with a known length may take after its headers. */
const BODY_MS = 150;

interface Asked {
  /** Requests of closed targets are removed. */
  session: string;
  /** As `performance.now()` gives it. */
  since: number;
  /** When the headers of a response with a known length arrived. Its end is not reported if the script never reads the body. */
  answered?: number;
}

/** Pending requests and open connections of a page. */
export class InFlightRequests {
  readonly #requests = new Map<string, Asked>();
  readonly #lines = new Map<string, Asked>();

  add(session: string, requestId: string): void {
    this.#requests.set(requestId, { session, since: performance.now() });
  }

  /** A WebSocket or event stream. */
  addConnection(session: string, requestId: string): void {
    this.#lines.set(requestId, { session, since: performance.now() });
  }

  answered(requestId: string): void {
    const asked = this.#requests.get(requestId);
    if (asked) asked.answered = performance.now();
  }

  remove(requestId: string): void {
    this.#requests.delete(requestId);
    this.#lines.delete(requestId);
  }

  removeAll(session: string): void {
    for (const asked of [this.#requests, this.#lines]) {
      for (const [requestId, of] of asked) if (of.session === session) asked.delete(requestId);
    }
  }

  /** Slow requests are ignored. */
  isQuiet(now: number): boolean {
    return [...this.#requests.values()].every(
      ({ since, answered = now }) => now - since > LONG_MS || now - answered > BODY_MS,
    );
  }

  get hasUnanswered(): boolean {
    return [...this.#requests.values()].some(({ answered }) => answered === undefined);
  }

  get hasOpenConnections(): boolean {
    return this.#lines.size > 0;
  }
}
