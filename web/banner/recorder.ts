const QUEUE = 'pavis_queue';
const QUEUE_MAX = 10;
const RETRY_AFTER_MS = 2_000;

interface Waiting {
  key: string;
  body: object;
}

export interface Recorder {
  /** Sends a decision; done after the first try, whatever came of it. */
  send(body: object): Promise<void>;
}

/**
 * Sends decisions so that none is lost: each waits in the browser's storage until the server has
 * answered, is tried twice, and again with the next page or connection, always under its first key.
 */
export function createRecorder(url: string): Recorder {
  let queue: Waiting[] = [];
  try {
    queue = [...JSON.parse(localStorage.getItem(QUEUE) as string)];
  } catch {
    // Nothing waits, or what waits there is not ours.
  }

  function keep(change: (waiting: Waiting[]) => Waiting[]): void {
    queue = change(queue).slice(-QUEUE_MAX);
    try {
      if (queue.length > 0) localStorage.setItem(QUEUE, JSON.stringify(queue));
      else localStorage.removeItem(QUEUE);
    } catch {
      // Without storage it waits as long as the page is open.
    }
  }

  async function post({ key, body }: Waiting): Promise<boolean> {
    try {
      const { status } = await fetch(url, {
        method: 'POST',
        keepalive: true,
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      });
      // What is refused now is refused for ever; too many and out of order pass.
      if (status >= 500 || status === 429) return false;
    } catch {
      return false;
    }
    keep((all) => all.filter((waiting) => waiting.key !== key));
    return true;
  }

  async function flush(): Promise<void> {
    for (const waiting of [...queue]) await post(waiting);
  }

  void flush();
  addEventListener('online', flush);
  return {
    async send(body) {
      const waiting = { key: randomId(), body };
      keep((all) => [...all, waiting]);
      if (!(await post(waiting))) setTimeout(post, RETRY_AFTER_MS, waiting);
    },
  };
}

/** Enough at random to be nobody else's; `crypto.randomUUID` is missing where a site has no HTTPS. */
export const randomId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
