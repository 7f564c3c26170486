import { PavisError, PavisUnreachable } from './errors.ts';
import { retrying } from './retry.ts';

/** Routes by `METHOD /path`: what they take and what they answer. */
type Routes<Api> = { [Route in keyof Api]: { answer: unknown } };

interface CallOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Whether to retry if the server does not respond. Default: a GET, a PUT without `If-Match`, and a POST with an idempotency key. */
  retry?: boolean;
}

type Input<Route> = Omit<Route, 'answer'> & CallOptions;
type Inputs<Route> =
  Record<never, never> extends Omit<Route, 'answer'>
    ? [input?: Input<Route>]
    : [input: Input<Route>];

export interface ClientSettings {
  /** What stands before the path of each route. */
  url: string;
  /** Sent with every request; asked each time, for tokens that change. */
  headers?: () => Record<string, string>;
  /** How long to wait for a response to begin, and for each further part of it. Default: 10 s. */
  timeoutMs?: number;
  /** See `RequestInit.credentials` of `fetch`. */
  credentials?: 'omit' | 'same-origin' | 'include';
  /** Routes that take an idempotency key: the server does once what is sent again with it. */
  keyedRoutes: ReadonlySet<string>;
}

const TIMEOUT_MS = 10_000;
/** Methods that can be repeated with the same response. A second DELETE is answered 404. */
const REPEATABLE = new Set(['GET', 'PUT']);

interface AnyInput extends CallOptions {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
}

/** Talks to one interface, whose routes its type lists. */
export class Client<Api extends Routes<Api>> {
  readonly #settings: ClientSettings;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /**
   * Calls a route, as `call('GET /vendors/{id}', { params: { id: 5 } })`.
   * @throws PavisError if the server refuses; PavisUnreachable if it does not answer
   */
  call<Route extends keyof Api & string>(
    route: Route,
    ...[input]: Inputs<Api[Route]>
  ): Promise<Api[Route]['answer']> {
    const asked: AnyInput = input ?? {};
    const method = route.slice(0, route.indexOf(' '));
    const path = route.slice(route.indexOf(' ') + 1);
    const isKeyed = asked.idempotencyKey !== undefined && this.#settings.keyedRoutes.has(route);
    // A retry fails with 412 if the first attempt succeeded, because the item has another tag then.
    const isConditional = new Headers(asked.headers).has('if-match');
    const { retry = (REPEATABLE.has(method) && !isConditional) || isKeyed } = asked;
    const once = () => this.#send(method, this.#urlOf(path, asked), asked);
    return retry ? retrying(once, asked.signal) : once();
  }

  #urlOf(path: string, { params = {}, query = {} }: AnyInput): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${params[name]}`));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) search.set(name, String(value));
    }
    const address = `${this.#settings.url.replace(/\/+$/, '')}${filled}`;
    if (search.size === 0) return address;
    // A site with plain permalinks has the route in the query: /?rest_route=/svc/v1/…
    return `${address}${address.includes('?') ? '&' : '?'}${search}`;
  }

  // biome-ignore lint/suspicious/noExplicitAny: what the routes' types say it is
  async #send(method: string, url: string, asked: AnyInput): Promise<any> {
    const { headers, timeoutMs = TIMEOUT_MS, credentials = 'same-origin' } = this.#settings;
    const { body, signal, idempotencyKey } = asked;
    const silence = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), timeoutMs);
    };
    restartTimer();
    try {
      const response = await fetch(url, {
        method,
        credentials,
        // A redirect would send the credentials to another server.
        redirect: 'error',
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...headers?.(),
          ...asked.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      });
      restartTimer();
      const content = await readContent(watchParts(response, restartTimer));
      if (response.ok) return content;
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      throw new PavisError(response.status, content, seconds >= 0 ? seconds : undefined);
    } catch (error) {
      if (error instanceof PavisError || signal?.aborted) throw error;
      const problem = silence.signal.aborted ? 'took too long to answer' : 'does not answer';
      throw new PavisUnreachable(`${this.#settings.url} ${problem}.`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The same content. Downloads may take long, so what counts is whether parts of it still arrive. */
function watchParts({ body, headers }: Response, onPart: () => void): Response {
  const watched = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, controller) {
      onPart();
      controller.enqueue(part);
    },
  });
  return new Response(body?.pipeThrough(watched) ?? null, { headers });
}

/** JSON and texts as such, all else as a Blob. */
async function readContent(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (/^application\/json\b/i.test(type)) return response.json();
  return /^text\//i.test(type) ? response.text() : response.blob();
}
