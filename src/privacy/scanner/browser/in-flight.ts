/** What takes longer does not hold the visit up. */
const LONG_MS = 1_000;
/** The body of an answer whose length is known comes right behind its head. */
const BODY_MS = 150;

interface Asked {
  /** Whose it is: what is gone gets no answers. */
  session: string;
  /** Epoch milliseconds. */
  since: number;
  /** The same, of an answer that its script may never read to its end: then nobody tells of it. */
  answered?: number;
}

/** What a page has asked for and has not been answered yet, and the lines that it keeps open. */
export class InFlightRequests {
  readonly #requests = new Map<string, Asked>();
  readonly #lines = new Map<string, Asked>();

  add(session: string, requestId: string): void {
    this.#requests.set(requestId, { session, since: Date.now() });
  }

  /** A socket, or a stream of events: it may be answered at any time. */
  addConnection(session: string, requestId: string): void {
    this.#lines.set(requestId, { session, since: Date.now() });
  }

  /** The head of an answer has come, and says how long it is. */
  answered(requestId: string): void {
    const asked = this.#requests.get(requestId);
    if (asked) asked.answered = Date.now();
  }

  remove(requestId: string): void {
    this.#requests.delete(requestId);
    this.#lines.delete(requestId);
  }

  /** A frame or a worker is gone. */
  removeAll(session: string): void {
    for (const asked of [this.#requests, this.#lines]) {
      for (const [requestId, of] of asked) if (of.session === session) asked.delete(requestId);
    }
  }

  /** Nothing that the page waits for is under way, but for what takes long. */
  isQuiet(now: number): boolean {
    return [...this.#requests.values()].every(
      ({ since, answered = now }) => now - since > LONG_MS || now - answered > BODY_MS,
    );
  }

  /** Some answer is still to come, however late. */
  get hasUnanswered(): boolean {
    return [...this.#requests.values()].some(({ answered }) => answered === undefined);
  }

  /** Something may come without having been asked for. */
  get hasOpenConnections(): boolean {
    return this.#lines.size > 0;
  }
}
