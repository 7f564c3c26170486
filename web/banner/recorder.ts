import { toJson } from './wire.ts';

const QUEUE_MAX = 10;

interface QueuedChoice {
  /** The Idempotency-Key. */
  key: string;
  body: object;
}

/** The response to a choice. */
export interface Answer {
  visitor_token?: string;
  /** Details of an error. */
  data?: { current_version?: number };
}

/**
 * Sends choices in their order. Each is stored in the browser until the server has answered. It is sent again with the
 * same key while the page is open, when the connection returns and on the next page.
 * @returns sends a choice; resolves after the first attempt
 */
export function createRecorder(url: string, onAnswer: (body: object, answer: Answer) => unknown) {
  let isFull: boolean | undefined;
  let queue: QueuedChoice[] = [];
  let pause = 0;
  let sending = Promise.resolve();

  /** Updates the stored queue, which all tabs share. Without storage, or if it is full, it lasts as long as the page. */
  function update(change: (queued: QueuedChoice[]) => QueuedChoice[]): void {
    try {
      // Throws unless it is a list.
      queue = isFull ? queue : JSON.parse(localStorage.pavis_queue ?? '[]').flat();
    } catch {}
    queue = change(queue);
    try {
      if (queue[0]) localStorage.pavis_queue = toJson(queue);
      else delete localStorage.pavis_queue;
    } catch {
      isFull = true;
    }
  }

  const flush = (): Promise<void> => {
    sending = sending
      .then(async () => {
        update((all) => all);
        for (const { key, body } of queue) {
          const answer = await fetch(url, {
            method: 'POST',
            keepalive: true,
            headers: { 'content-type': 'application/json', 'idempotency-key': key },
            body: toJson(body),
          });
          // Other errors are permanent.
          if (answer.status >= 500 || answer.status === 429) throw 0;
          update((all) => all.filter((queued) => queued.key !== key));
          await onAnswer(body, await answer.json().catch(Object));
        }
      })
      .catch(() => {
        // Two seconds longer after each failure.
        pause += 2_000;
        setTimeout(flush, pause);
      });
    return sending;
  };

  void flush();
  addEventListener('online', flush);
  return (body: object): Promise<void> => {
    update((all) => [...all.slice(1 - QUEUE_MAX), { key: randomId(), body }]);
    return flush();
  };
}

/** 128 random bits; `crypto.randomUUID` requires HTTPS. */
export const randomId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
