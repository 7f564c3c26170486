const QUEUE = 'pavis_queue';
const QUEUE_MAX = 10;

interface Waiting {
  key: string;
  body: object;
}

/**
 * Sends decisions so that none is lost: each waits in the browser's storage until the server has
 * answered, is tried twice, and again with the next page or connection, always under its first key.
 * @param onRefused is told of a decision about texts that no longer hold
 * @returns what sends a decision; done after the first try, whatever came of it
 */
export function createRecorder(url: string, onRefused: (body: object) => unknown) {
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
    const answer = await fetch(url, {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    // What is refused now is refused for ever; too many and out of order pass.
    if (!answer || answer.status >= 500 || answer.status === 429) return false;
    keep((all) => all.filter((waiting) => waiting.key !== key));
    if (/current_version/.test(await answer.text().catch(String))) await onRefused(body);
    return true;
  }

  async function flush(): Promise<void> {
    for (const waiting of [...queue]) await post(waiting);
  }

  void flush();
  addEventListener('online', flush);
  return async (body: object): Promise<void> => {
    const waiting = { key: randomId(), body };
    keep((all) => [...all, waiting]);
    if (!(await post(waiting))) setTimeout(post, 2_000, waiting);
  };
}

/** Enough at random to be nobody else's; `crypto.randomUUID` is missing where a site has no HTTPS. */
export const randomId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
