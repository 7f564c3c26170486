import type { CdpSession, Payload } from './cdp.ts';
import { type Click, isHarmful } from './click-guard.ts';
import type { Recorder } from './recorder.ts';
import { answerServiceWrite, SERVICE_PATTERNS } from './service-writes.ts';

/** A page with more navigations is in a redirect loop. */
const NAVIGATIONS_MAX = 10;

interface RequestGuardOptions {
  /** Whether the page, not its frames, may navigate to the URL. */
  mayNavigate(url: URL): boolean;
  recorder: Recorder;
}

/** Decides about the requests of one page that the browser pauses. */
export class RequestGuard {
  /** URL outside of the site to which the page tried to navigate. */
  externalRedirect: string | undefined;
  /** Exceeded the limit of navigations within the site. */
  hasRedirectLoop = false;
  navigationBlocked = false;
  readonly #options: RequestGuardOptions;
  /** The click on the accept button, and the documents at that time, by frame ID. */
  #clicked: { click: Click; documents: ReadonlyMap<string, string> } | undefined;
  #navigations = 0;

  constructor(options: RequestGuardOptions) {
    this.#options = options;
  }

  /** Checks all later requests for harm. Documents that are listed must not be replaced. */
  guardClick(click: Click, documents: ReadonlyMap<string, string>): void {
    this.#clicked = { click, documents };
  }

  /** Parameters of `Fetch.enable`: which requests are paused. */
  listPauses(isMain: boolean) {
    const everything = { requestStage: 'Request' as const };
    const documents = isMain ? [{ resourceType: 'Document' as const, ...everything }] : [];
    const patterns = this.#clicked ? [everything] : [...documents, ...SERVICE_PATTERNS];
    return { patterns, handleAuthRequests: isMain };
  }

  /** Answers a paused request: continues, blocks or fulfils it. */
  decide(session: CdpSession, event: Payload<'Fetch.requestPaused'>, mainFrame: string): void {
    if (answerServiceWrite(session, event)) return;
    const { requestId, frameId, request, networkId, resourceType } = event;
    const url = URL.parse(request.url);
    const isDocument = resourceType === 'Document';
    const isPage = isDocument && frameId === mainFrame;
    const fail = (errorReason: 'Aborted' | 'BlockedByClient') => {
      if (networkId) this.#options.recorder.markNavigationBlocked(networkId);
      session.sendAndForget('Fetch.failRequest', { requestId, errorReason });
    };
    if ((isPage && this.navigationBlocked) || this.#isHarmful(event, isDocument)) {
      // Unlike a blocked document, an aborted one leaves the current document in place.
      fail(isDocument ? 'Aborted' : 'BlockedByClient');
      return;
    }
    if (isPage) this.#navigations += 1;
    const allowed = url && this.#navigations <= NAVIGATIONS_MAX && this.#options.mayNavigate(url);
    if (!isPage || allowed) {
      session.sendAndForget('Fetch.continueRequest', { requestId });
      return;
    }
    if (this.#navigations > NAVIGATIONS_MAX) this.hasRedirectLoop = true;
    else this.externalRedirect ??= request.url;
    fail('BlockedByClient');
  }

  #isHarmful({ frameId, request }: Payload<'Fetch.requestPaused'>, isDocument: boolean): boolean {
    if (!this.#clicked) return false;
    const { click, documents } = this.#clicked;
    const replaces = isDocument ? documents.get(frameId) : undefined;
    return isHarmful(click, { method: request.method, url: request.url, replaces, isDocument });
  }
}
