import { type ConsentState, type LoadObservation, observed } from '../observation.ts';
import type { CdpSession, Payload } from './cdp.ts';
import { InFlightRequests } from './in-flight.ts';
import type { MainDocument, RecordedLoad, ScriptBody } from './recorded.ts';
import {
  describeRequest,
  findInitiator,
  hasLength,
  isOwnProxy,
  isPreflight,
  toFailureWord,
  URL_MAX,
} from './requests.ts';
import { type CookieReading, SetCookies, type TimedCookie } from './set-cookies.ts';
import { StoredKeys } from './stored-keys.ts';
import { VisitClock } from './visit-clock.ts';

type RequestWillBeSent = Payload<'Network.requestWillBeSent'>;

/** Requests that do not delay the page. */
const UNAWAITED = new Set(['Ping', 'WebSocket', 'CSPViolationReport', 'Prefetch']);
const REQUESTS_MAX = 500;
/** Larger container scripts are not parsed. */
const BODY_MAX_BYTES = 2 * 1024 * 1024;
const BODIES_MAX = 20;
const CONTAINER = /\/gtm[^/]*\.js|\/gtag\/js|[?&]id=(GTM|G|AW|DC|GT|UA)-/i;

/**
 * Records the requests of a page when they are sent, because a response may never arrive. Listens to all targets of the
 * page, so request IDs are unique across them.
 */
export class Recorder {
  full = false;
  main: MainDocument | undefined;
  readonly bodies: ScriptBody[] = [];
  readonly inFlight = new InFlightRequests();
  readonly storedKeys = new StoredKeys();
  onFull = () => {};
  readonly #clock = new VisitClock();
  readonly #mainFrame: () => string;
  /** Requests by ID, one for each redirect. */
  readonly #hops = new Map<string, RecordedLoad[]>();
  readonly #cookies = new SetCookies();
  readonly #reading = new Set<Promise<void>>();
  #requests = 0;
  #requestsMax = REQUESTS_MAX;
  #navigations = 0;
  #mainRequest = '';

  /** @param mainFrame the ID of the main frame */
  constructor(mainFrame: () => string) {
    this.#mainFrame = mainFrame;
  }

  /** @param signal ends listening */
  listen(session: CdpSession, worker: boolean, signal: AbortSignal): void {
    const on: CdpSession['on'] = (event, listener) => session.on(event, listener, signal);
    on('Network.requestWillBeSent', (event) => this.#sent(event, session.id, worker));
    on('Network.responseReceived', ({ requestId, response, type }) => {
      this.#answered(requestId, response);
      if (requestId === this.#mainRequest) this.#navigations += 1;
      if (type === 'Fetch' && hasLength(response)) this.inFlight.answered(requestId);
    });
    on('Network.responseReceivedExtraInfo', (info) => {
      // Our proxy requests authentication.
      if (info.statusCode === 407) return;
      const hop = this.#cookies.answered(info, this.consentState, this.elapsed);
      const load = hop === undefined ? undefined : this.#hops.get(info.requestId)?.[hop];
      if (load && !isOwnProxy(info.headers)) load.status ??= info.statusCode;
    });
    on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      this.inFlight.remove(requestId);
      if (encodedDataLength <= BODY_MAX_BYTES) this.#readBody(session, requestId);
    });
    on('Network.loadingFailed', (event) => {
      const { requestId, errorText, blockedReason, canceled, corsErrorStatus } = event;
      this.inFlight.remove(requestId);
      const isMain = requestId === this.#mainRequest;
      if (isMain && this.main?.status !== undefined && !canceled) this.main.incomplete = true;
      const load = this.#hops.get(requestId)?.at(-1);
      // The response arrived, but scripts may not read it (CORS).
      if (!load || load.status !== undefined || corsErrorStatus) return;
      const isUnsent = blockedReason === 'csp' || blockedReason === 'mixed-content';
      const refused = blockedReason && (isUnsent ? 'policy' : 'blocked');
      const failure = refused ?? toFailureWord(errorText);
      if (failure && (isUnsent || !canceled)) load.failure ??= failure;
    });
    on('Network.webSocketCreated', ({ requestId, url, initiator }) => {
      this.inFlight.addConnection(session.id, requestId);
      this.#add(requestId, {
        kind: 'request',
        url,
        method: 'GET',
        via: 'websocket',
        ...findInitiator(initiator),
        ...this.#seenIn(),
      });
    });
    on('Network.webSocketClosed', ({ requestId }) => this.inFlight.remove(requestId));
    on('Page.windowOpen', ({ url, userGesture }) => {
      this.#add(`popup ${this.#requests}`, {
        kind: 'request',
        url,
        method: 'GET',
        via: 'popup',
        ...(!userGesture && { failure: 'policy' }),
        ...this.#seenIn(),
      });
    });
  }

  get consentState(): ConsentState {
    return this.#clock.stateAt();
  }

  /** Milliseconds since the visit began. */
  get elapsed(): number {
    return this.#clock.elapsed();
  }

  /** @param main the page that is already there */
  begin(main?: MainDocument): void {
    this.main = main;
    this.#clock.begin();
  }

  /** The choice on the consent banner is made now: what follows is `after` it. */
  markChoice(): void {
    this.#clock.setChosen(true);
  }

  /** The button was not clicked after all. */
  revertChoice(): void {
    this.#clock.setChosen(false);
    for (const load of this.loads()) load.consentState = 'before';
  }

  get requestCount(): number {
    return this.#requests;
  }

  /** How often a document of the page answered, redirects apart. */
  get navigations(): number {
    return this.#navigations;
  }

  /** The page is loaded once more: it may send as many requests again. */
  allowReload(): void {
    this.#requestsMax = this.#requests + REQUESTS_MAX;
  }

  /** A navigation away from the site was blocked. */
  markNavigationBlocked(requestId: string): void {
    const load = this.#hops.get(requestId)?.at(-1);
    if (load) load.failure = 'blocked';
  }

  /** Untrusted: the page can send reports, too. */
  reportCookie(payload: string): void {
    this.#cookies.reported(payload, this.#clock);
  }

  reportStorage(payload: string): void {
    this.storedKeys.reported(payload, this.#clock);
  }

  async waitForBodies(): Promise<void> {
    await Promise.all(this.#reading);
  }

  loads(): RecordedLoad[] {
    return [...this.#hops.values()].flat();
  }

  /** Cookies set by headers and scripts. @param readings in the order of time */
  cookies(readings: readonly CookieReading[]): TimedCookie[] {
    const listHops = (requestId: string) => this.#hops.get(requestId) ?? [];
    return this.#cookies.observations(listHops, this.main?.url ?? '', readings);
  }

  #sent(event: RequestWillBeSent, session: string, worker: boolean): void {
    const { requestId, request, type = 'Other', redirectResponse, frameId } = event;
    if (redirectResponse) this.#answered(requestId, redirectResponse);
    const isMain = type === 'Document' && frameId !== undefined && frameId === this.#mainFrame();
    const { isInPage, ...load } = describeRequest(event, { worker, isMain });
    const frameUrl = isInPage ? (this.main?.url ?? request.url) : event.documentURL;
    if (isMain) {
      this.#mainRequest = requestId;
      this.main ??= { url: request.url };
    }
    if (isPreflight(event) || !this.#add(requestId, { ...load, ...this.#seenIn(frameUrl) })) return;
    if (type === 'EventSource') this.inFlight.addConnection(session, requestId);
    else if (!UNAWAITED.has(type)) this.inFlight.add(session, requestId);
  }

  #add(requestId: string, seen: LoadObservation): boolean {
    if (!/^(https?|wss?):/i.test(seen.url)) return false;
    if (this.#requests >= this.#requestsMax) {
      if (!this.full) {
        this.full = true;
        this.onFull();
      }
      return false;
    }
    this.#requests += 1;
    const load = { ...seen, url: seen.url.slice(0, URL_MAX), at: this.elapsed };
    const hops = this.#hops.get(requestId) ?? [];
    hops.push(load);
    this.#hops.set(requestId, hops);
    return true;
  }

  #answered(requestId: string, response: Payload<'Network.responseReceived'>['response']): void {
    const load = this.#hops.get(requestId)?.at(-1);
    // Responses of our proxy are not those of the host.
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
        else if (load) this.bodies.push({ load, text });
      })
      .catch(() => {});
    this.#reading.add(reading);
  }

  #seenIn(frameUrl = this.main?.url ?? '') {
    return observed('network', this.consentState, frameUrl.slice(0, URL_MAX));
  }
}
