import type { ConsentState, CookieObservation, LoadObservation } from '../observation.ts';
import type { CdpSession, Payload } from './cdp.ts';
import { InFlightRequests } from './in-flight.ts';
import { SetCookies } from './set-cookies.ts';

type RequestWillBeSent = Payload<'Network.requestWillBeSent'>;

/** What a request is, by the browser's word for it; the rest is a `request` by that word. */
const KINDS: Record<string, LoadObservation['kind']> = {
  Script: 'script',
  Document: 'frame',
  Image: 'image',
  Stylesheet: 'style',
  Font: 'font',
};
const VIA: Record<string, string> = { Ping: 'beacon', CSPViolationReport: 'csp-report' };

/** Requests that do not delay the page. */
const UNAWAITED = new Set(['Ping', 'WebSocket', 'CSPViolationReport', 'Prefetch']);
const REQUESTS_MAX = 500;
const URL_MAX = 2_048;
/** A container's script is read for what stands in it; larger ones are not. */
const BODY_MAX_BYTES = 2 * 1024 * 1024;
const BODIES_MAX = 20;
const CONTAINER = /\/gtm[^/]*\.js|\/gtag\/js|[?&]id=(GTM|G|AW|DC|GT|UA)-/i;

interface ScriptBody {
  url: string;
  text: string;
  frameUrl: string;
  consentState: ConsentState;
}

/** The page itself, as opposed to what it loads. */
export interface MainDocument {
  url: string;
  status?: number;
  mimeType?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The answer ended before its end. */
  incomplete?: true;
}

/**
 * Records the requests of a page when they are sent, because a response may never arrive. Listens to all targets of the
 * page, so request IDs are unique across them.
 */
export class Recorder {
  /** The maximum number of requests was exceeded. */
  full = false;
  main: MainDocument | undefined;
  readonly bodies: ScriptBody[] = [];
  readonly inFlight = new InFlightRequests();
  /** Called once when there is too much. */
  onFull = () => {};
  #agreedAt = Number.POSITIVE_INFINITY;
  readonly #mainFrame: () => string;
  /** Each redirect of a request is one of its own. */
  readonly #hops = new Map<string, LoadObservation[]>();
  readonly #cookies = new SetCookies();
  readonly #reading = new Set<Promise<void>>();
  #requests = 0;
  #mainRequest = '';

  /** @param mainFrame the id of the page's own frame */
  constructor(mainFrame: () => string) {
    this.#mainFrame = mainFrame;
  }

  /** @param worker whether the target is one, and no document */
  listen(session: CdpSession, worker: boolean): void {
    session.on('Network.requestWillBeSent', (event) => this.#sent(event, session.id, worker));
    session.on('Network.responseReceived', ({ requestId, response, type }) => {
      this.#answered(requestId, response);
      if (type === 'Fetch' && hasLength(response)) this.inFlight.answered(requestId);
    });
    session.on('Network.responseReceivedExtraInfo', (info) => {
      // Our own proxy asks who is there.
      if (info.statusCode === 407) return;
      const hop = this.#cookies.answered(info, this.consentState);
      const load = hop === undefined ? undefined : this.#hops.get(info.requestId)?.[hop];
      if (load && !isOwnProxy(info.headers)) load.status ??= info.statusCode;
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      this.inFlight.remove(requestId);
      if (encodedDataLength <= BODY_MAX_BYTES) this.#readBody(session, requestId);
    });
    session.on('Network.loadingFailed', (event) => {
      const { requestId, errorText, blockedReason, canceled, corsErrorStatus } = event;
      this.inFlight.remove(requestId);
      const isMain = requestId === this.#mainRequest;
      if (isMain && this.main?.status !== undefined && !canceled) this.main.incomplete = true;
      const load = this.#hops.get(requestId)?.at(-1);
      // The answer came; only the script may not read it.
      if (!load || load.status !== undefined || corsErrorStatus) return;
      const failure = blockedReason ? 'blocked' : failureWord(errorText);
      if (failure && !canceled) load.failure ??= failure;
    });
    session.on('Network.webSocketCreated', ({ requestId, url, initiator }) => {
      this.inFlight.addConnection(session.id, requestId);
      this.#add(requestId, {
        kind: 'request',
        url,
        method: 'GET',
        via: 'websocket',
        ...initiatedBy(initiator),
        ...this.#seenIn(this.main?.url ?? ''),
      });
    });
    session.on('Network.webSocketClosed', ({ requestId }) => this.inFlight.remove(requestId));
    session.on('Page.windowOpen', ({ url }) => {
      this.#add(`popup ${this.#requests}`, {
        kind: 'request',
        url,
        method: 'GET',
        via: 'popup',
        ...this.#seenIn(this.main?.url ?? ''),
      });
    });
  }

  get consentState(): ConsentState {
    return Date.now() < this.#agreedAt ? 'before' : 'after';
  }

  /** The visitor accepts: later requests are after consent. */
  markConsentGiven(): void {
    this.#agreedAt = Date.now();
  }

  /** The accept button was not clicked after all. */
  revertConsent(): void {
    this.#agreedAt = Number.POSITIVE_INFINITY;
    for (const load of this.loads()) load.consentState = 'before';
  }

  /** Number of requests recorded. */
  get requestCount(): number {
    return this.#requests;
  }

  /** A navigation away from the site was blocked. */
  markNavigationBlocked(requestId: string): void {
    const load = this.#hops.get(requestId)?.at(-1);
    if (load) load.failure = 'blocked';
  }

  /** Untrusted input: the page can send such reports, too. */
  reportCookie(payload: string): void {
    this.#cookies.reported(payload, this.#agreedAt);
  }

  /** Waits for response bodies that are being read. */
  async waitForBodies(): Promise<void> {
    await Promise.all(this.#reading);
  }

  loads(): LoadObservation[] {
    return [...this.#hops.values()].flat();
  }

  /**
   * What was set by headers and by scripts; several of the same name are several.
   * @param kept what the browser's jar held
   */
  cookies(kept: readonly CookieObservation[]): CookieObservation[] {
    const hopsOf = (requestId: string) => this.#hops.get(requestId) ?? [];
    return this.#cookies.observations(hopsOf, this.main?.url ?? '', kept);
  }

  #sent(event: RequestWillBeSent, session: string, worker: boolean): void {
    const { requestId, request, type = 'Other', redirectResponse, frameId } = event;
    if (redirectResponse) this.#answered(requestId, redirectResponse);
    const isMain = type === 'Document' && frameId !== undefined && frameId === this.#mainFrame();
    // What `importScripts` asks for has no type of its own.
    const kind = worker && type === 'Other' ? 'script' : (KINDS[type] ?? 'request');
    const isWorker = !isMain && type !== 'Document' && event.documentURL === request.url;
    const via = isMain
      ? 'navigation'
      : isWorker || (worker && kind === 'script')
        ? 'worker'
        : kind === 'request'
          ? (VIA[type] ?? type.toLowerCase())
          : undefined;
    // A frame's and a worker's `documentURL` is its own.
    const isInPage = worker || isWorker || type === 'Document';
    const load: LoadObservation = {
      kind: isMain ? 'request' : isWorker ? 'script' : kind,
      url: request.url,
      method: request.method,
      ...(via && { via }),
      ...initiatedBy(event.initiator),
      ...(redirectResponse && { redirectedFrom: redirectResponse.url }),
      ...this.#seenIn(isInPage ? (this.main?.url ?? request.url) : event.documentURL),
    };
    if (isMain) {
      this.#mainRequest = requestId;
      this.main ??= { url: request.url };
    }
    if (type === 'Preflight' || !this.#add(requestId, load)) return;
    if (type === 'EventSource') this.inFlight.addConnection(session, requestId);
    else if (!UNAWAITED.has(type)) this.inFlight.add(session, requestId);
  }

  #add(requestId: string, load: LoadObservation): boolean {
    if (!/^(https?|wss?):/i.test(load.url)) return false;
    if (this.#requests >= REQUESTS_MAX) {
      if (!this.full) {
        this.full = true;
        this.onFull();
      }
      return false;
    }
    this.#requests += 1;
    load.url = load.url.slice(0, URL_MAX);
    const hops = this.#hops.get(requestId) ?? [];
    hops.push(load);
    this.#hops.set(requestId, hops);
    return true;
  }

  #answered(requestId: string, response: Payload<'Network.responseReceived'>['response']): void {
    const load = this.#hops.get(requestId)?.at(-1);
    // What our own proxy answers is not the host's answer.
    const isOwn = isOwnProxy(response.headers);
    if (requestId === this.#mainRequest) {
      const { url, status, mimeType, headers } = response;
      this.main = isOwn ? { url } : { url, status, mimeType, headers };
    }
    if (!load || isOwn) return;
    load.status = response.status;
    if (response.mimeType) load.mimeType = response.mimeType;
  }

  #readBody(session: CdpSession, requestId: string): void {
    const load = this.#hops.get(requestId)?.at(-1);
    const isMain = requestId === this.#mainRequest;
    const isContainer = load?.kind === 'script' && CONTAINER.test(load.url);
    if (!isMain && !(isContainer && this.#reading.size < BODIES_MAX)) return;
    const reading = session
      .send('Network.getResponseBody', { requestId })
      .then(({ body, base64Encoded }) => {
        const text = base64Encoded ? Buffer.from(body, 'base64').toString() : body;
        if (isMain && this.main) this.main.body = text;
        else if (load) {
          const { url, frameUrl, consentState } = load;
          this.bodies.push({ url, text, frameUrl, consentState });
        }
      })
      .catch(() => {});
    this.#reading.add(reading);
  }

  #seenIn(frameUrl: string) {
    return {
      sources: ['network' as const],
      consentState: this.consentState,
      frameUrl: frameUrl.slice(0, URL_MAX),
      blockedUntilConsent: false,
    };
  }
}

function initiatedBy(initiator: RequestWillBeSent['initiator'] | undefined): {
  initiator?: string;
} {
  let from = initiator?.url;
  for (let trace = initiator?.stack; !from && trace; trace = trace.parent) {
    from = trace.callFrames.find((frame) => /^https?:/.test(frame.url))?.url;
  }
  return from ? { initiator: from.slice(0, URL_MAX) } : {};
}

const hasLength = ({ status, headers }: Payload<'Network.responseReceived'>['response']): boolean =>
  status === 204 || Object.keys(headers).some((name) => /^content-length$/i.test(name));

const isOwnProxy = (headers: Record<string, string>): boolean =>
  Object.entries(headers).some(
    ([name, value]) => /^proxy-status$/i.test(name) && value.startsWith('pavis;'),
  );

/** In a word, of the browser's own; undefined for what the page itself has called off. */
function failureWord(error: string): string | undefined {
  if (/ABORTED/.test(error)) return undefined;
  if (/NAME_NOT_RESOLVED/.test(error)) return 'dns';
  if (/TIMED_OUT/.test(error)) return 'timeout';
  if (/REFUSED|TUNNEL|EMPTY_RESPONSE|PROXY/.test(error)) return 'refused';
  return /BLOCKED/.test(error) ? 'blocked' : 'failed';
}
