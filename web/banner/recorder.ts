const QUEUE_MAX = 10;

interface Waiting {
  key: string;
  body: object;
}

/** What the server said to a decision, as far as it matters here. */
export interface Answer {
  visitor_token?: string;
  /** Of a refusal. */
  data?: { current_version?: number };
}

/**
 * Sends decisions so that none is lost: each is kept in the browser's storage until the server has answered, and
 * is sent again while the page is open, with the next connection and with the next page, under its first key. They
 * are sent in the order in which they were made, so that the last record is of the last decision.
 * @param onAnswer is told what the server said to a decision
 * @returns what sends a decision; done after the first attempt, whatever came of it
 */
export function createRecorder(url: string, onAnswer: (body: object, answer: Answer) => unknown) {
  let queue: Waiting[] = [];
  let pause = 0;
  let sending = Promise.resolve();

  /** Reads what waits, which other tabs may have sent, and keeps what becomes of it. */
  function keep(change: (waiting: Waiting[]) => Waiting[]): Waiting[] {
    try {
      queue = [...JSON.parse(localStorage.pavis_queue ?? '[]')];
    } catch {
      // Without storage it waits as long as the page is open.
    }
    queue = change(queue);
    try {
      if (queue[0]) localStorage.pavis_queue = JSON.stringify(queue);
      else delete localStorage.pavis_queue;
    } catch {}
    return queue;
  }

  const flush = (): Promise<void> => {
    sending = sending
      .then(async () => {
        for (const { key, body } of keep((all) => all)) {
          const answer = await fetch(url, {
            method: 'POST',
            keepalive: true,
            headers: { 'content-type': 'application/json', 'idempotency-key': key },
            body: JSON.stringify(body),
          });
          // What is refused now is refused for ever; too many and out of order pass.
          if (answer.status >= 500 || answer.status === 429) throw 0;
          keep((all) => all.filter((waiting) => waiting.key !== key));
          await onAnswer(body, await answer.json().catch(Object));
        }
      })
      .catch(() => {
        // Two seconds longer with each attempt that fails.
        pause += 2_000;
        setTimeout(flush, pause);
      });
    return sending;
  };

  void flush();
  addEventListener('online', flush);
  return (body: object): Promise<void> => {
    keep((all) => [...all, { key: randomId(), body }].slice(-QUEUE_MAX));
    return flush();
  };
}

/** Enough at random to be nobody else's; `crypto.randomUUID` is missing where a site has no HTTPS. */
export const randomId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
