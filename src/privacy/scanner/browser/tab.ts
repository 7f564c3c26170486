import { randomAlphanumeric } from '../../../platform/crypto/random.ts';
import type { CdpSession, Payload } from './cdp.ts';
import type { Chromium } from './chromium.ts';
import { type Click, isHarmful } from './click-guard.ts';
import type { Identity } from './identity.ts';
import { hookScript, ISOLATED_WORLD, listenScript, workerScript } from './page-scripts.ts';
import type { Recorder } from './recorder.ts';
import { answerServiceWrite, SERVICE_PATTERNS } from './service-writes.ts';
import { withTimeout } from './timeouts.ts';

type Attached = Payload<'Target.attachedToTarget'>;

export interface TabOptions {
  proxy: { server: string; username: string; password: string };
  identity: Identity;
  /** Whether the page, not its frames, may navigate to the URL. */
  mayNavigate(url: URL): boolean;
  recorder: Recorder;
}

const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
/** Response bodies that the browser buffers for us. */
const BUFFERS = { maxTotalBufferSize: 20_000_000, maxResourceBufferSize: 5_000_000 };
/** A page with more navigations is in a redirect loop. */
const NAVIGATIONS_MAX = 10;
const PATTERN_MS = 500;
const ALL_REQUESTS = [{ requestStage: 'Request' as const }];
const DISPOSE_MS = 2_000;

/** Passes new targets of one browser to their tabs. */
export class Tabs {
  readonly #chromium: Chromium;
  readonly #tabs = new Map<string, Tab>();

  constructor(chromium: Chromium) {
    this.#chromium = chromium;
    const { browser } = chromium.connection;
    browser.on('Target.attachedToTarget', (event) => {
      const tab = this.#tabs.get(event.targetInfo.browserContextId ?? '');
      if (tab) tab.attach(event);
      else
        chromium.connection
          .session(event.sessionId)
          .sendAndForget('Runtime.runIfWaitingForDebugger');
    });
    browser.sendAndForget('Target.setAutoAttach', AUTO_ATTACH);
  }

  /** Opens a tab in its own browser context. @throws CdpError */
  async open(options: TabOptions): Promise<Tab> {
    const { browser } = this.#chromium.connection;
    const { browserContextId } = await browser.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer: options.proxy.server,
      proxyBypassList: '<-loopback>',
    });
    browser.sendAndForget('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
    // An empty grant denies all other permissions.
    browser.sendAndForget('Browser.grantPermissions', { permissions: [], browserContextId });
    const tab = new Tab(this.#chromium, browserContextId, options);
    this.#tabs.set(browserContextId, tab);
    tab.onClose = () => this.#tabs.delete(browserContextId);
    await browser.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      // In one window, only one page at a time would be visible and render.
      newWindow: true,
    });
    return tab;
  }
}

/** One page with its frames and workers, each of which is paused until it is listened to. */
export class Tab {
  onClose = () => {};
  /** URL outside of the site to which the page tried to navigate. */
  externalRedirect: string | undefined;
  /** Exceeded the limit of navigations within the site. */
  hasRedirectLoop = false;
  readonly contextId: string;
  readonly #chromium: Chromium;
  readonly #options: TabOptions;
  /** Navigation of the page is blocked. */
  navigationBlocked = false;
  /** Name of the events between us and our script in the page; unknown to the page. */
  readonly secret = randomAlphanumeric(16);
  readonly #targets = new Set<string>();
  readonly #sessions = new Set<CdpSession>();
  readonly #documents = new Map<string, CdpSession>();
  readonly #workers = new Map<string, CdpSession>();
  readonly #main = Promise.withResolvers<CdpSession>();
  readonly #gone = Promise.withResolvers<never>();
  readonly #loaded = Promise.withResolvers<void>();
  /** Our click, and the documents at that time, by frame ID. */
  #clicked: { click: Click; documents: ReadonlyMap<string, string> } | undefined;
  #mainTarget = '';
  #mainSession: CdpSession | undefined;
  #navigations = 0;

  constructor(chromium: Chromium, contextId: string, options: TabOptions) {
    this.#chromium = chromium;
    this.contextId = contextId;
    this.#options = options;
    this.#gone.promise.catch(() => {});
    chromium.connection.once('close', this.#onGone);
  }

  get browser(): CdpSession {
    return this.#chromium.connection.browser;
  }

  get main(): Promise<CdpSession> {
    return this.#main.promise;
  }

  /** The id of the page's own frame, which is that of its target. */
  get mainFrame(): string {
    return this.#mainTarget;
  }

  /** Rejects when the page or the browser has crashed; never resolves. */
  get crashed(): Promise<never> {
    return this.#gone.promise;
  }

  /** The page's `load` event, of the first document that has one. */
  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  /** The page and those of its frames that live in processes of their own. */
  documents(): CdpSession[] {
    return [...this.#documents.values()];
  }

  workers(): CdpSession[] {
    return [...this.#workers.values()];
  }

  /** Blocks all further requests. */
  blockRequests(): void {
    for (const session of this.#sessions)
      session.sendAndForget('Network.setBlockedURLs', { urls: ['*'] });
  }

  /**
   * Before our click: whatever is asked for from now on is held against it, in every frame and worker.
   * @param documents URLs by the ids of their frames, of those that are not to go elsewhere
   */
  async guardClick(click: Click, documents: ReadonlyMap<string, string>): Promise<void> {
    this.#clicked = { click, documents };
    const pausing = [...this.#sessions].map((session) =>
      withTimeout(session.send('Fetch.enable', this.#pauses(session)), PATTERN_MS),
    );
    await Promise.all(pausing);
  }

  attach({ sessionId, targetInfo }: Attached): void {
    const session = this.#chromium.connection.session(sessionId);
    const { targetId, type } = targetInfo;
    // A service worker is announced by the browser and by the page.
    const isNew = !this.#targets.has(targetId);
    this.#targets.add(targetId);
    if (isNew && type === 'page' && this.#mainTarget !== '') {
      // A popup, which its opener has told of. Closed while it is paused, it would leave the opener so.
      session.on('Fetch.requestPaused', ({ requestId }) =>
        session.sendAndForget('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }),
      );
      session.sendAndForget('Fetch.enable', { patterns: ALL_REQUESTS });
      session.sendAndForget('Runtime.runIfWaitingForDebugger');
      this.browser.sendAndForget('Target.closeTarget', { targetId });
      return;
    }
    if (isNew && (type === 'page' || type === 'iframe')) this.#equipDocument(session, targetInfo);
    else if (isNew && type.endsWith('worker')) this.#equipWorker(session);
    session.sendAndForget('Runtime.runIfWaitingForDebugger');
    if (isNew && type === 'page') void this.#whenEquipped(session);
  }

  /** @returns false when the browser does not let go of it and is to be ended */
  async close(): Promise<boolean> {
    this.onClose();
    this.#chromium.connection.off('close', this.#onGone);
    const { contextId: browserContextId } = this;
    const timer = Promise.withResolvers<false>();
    const timeout = setTimeout(() => timer.resolve(false), DISPOSE_MS);
    const disposed = this.browser
      .send('Target.disposeBrowserContext', { browserContextId })
      .then(() => true)
      .catch(() => false);
    return Promise.race([disposed, timer.promise]).finally(() => clearTimeout(timeout));
  }

  readonly #onGone = () => this.#gone.reject(new Error('gone'));

  #equipDocument(session: CdpSession, { targetId, type }: Attached['targetInfo']): void {
    this.#documents.set(session.id, session);
    // The page is incomplete without its frame.
    session.on('Inspector.targetCrashed', this.#onGone);
    session.on('Page.javascriptDialogOpening', () =>
      session.sendAndForget('Page.handleJavaScriptDialog', { accept: false }),
    );
    session.sendAndForget('Page.enable');
    session.sendAndForget('Page.addScriptToEvaluateOnNewDocument', {
      source: listenScript(this.secret),
      worldName: ISOLATED_WORLD,
    });
    session.sendAndForget('Page.addScriptToEvaluateOnNewDocument', {
      source: hookScript(this.secret),
    });
    this.#equip(session, false);
    if (type === 'page') this.#equipMain(session, targetId);
    else session.sendAndForget('Fetch.enable', this.#pauses(session));
  }

  /** Which requests are paused for a decision. */
  #pauses(session: CdpSession) {
    const isMain = session === this.#mainSession;
    const documents = isMain ? [{ resourceType: 'Document' as const, ...ALL_REQUESTS[0] }] : [];
    const patterns = this.#clicked ? ALL_REQUESTS : [...documents, ...SERVICE_PATTERNS];
    return { patterns, handleAuthRequests: isMain };
  }

  /** What was asked of one renderer is only passed on to the next one once it has been answered. */
  async #whenEquipped(session: CdpSession): Promise<void> {
    await session.send('Runtime.evaluate', { expression: '0' }).catch(() => {});
    this.#main.resolve(session);
  }

  #equipMain(session: CdpSession, targetId: string): void {
    this.#mainTarget = targetId;
    session.on('Page.loadEventFired', () => this.#loaded.resolve());
    session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
      const { username, password } = this.#options.proxy;
      session.sendAndForget('Fetch.continueWithAuth', {
        requestId,
        authChallengeResponse:
          authChallenge.source === 'Proxy'
            ? { response: 'ProvideCredentials', username, password }
            : { response: 'CancelAuth' },
      });
    });
    this.#mainSession = session;
    session.sendAndForget('Fetch.enable', this.#pauses(session));
    session.sendAndForget('Emulation.setFocusEmulationEnabled', { enabled: true });
  }

  #equipWorker(session: CdpSession): void {
    this.#workers.set(session.id, session);
    this.#equip(session, true);
    session.sendAndForget('Fetch.enable', this.#pauses(session));
    session.sendAndForget('Runtime.evaluate', {
      expression: workerScript(this.secret, this.#options.identity),
    });
  }

  #equip(session: CdpSession, worker: boolean): void {
    this.#sessions.add(session);
    session.on('Fetch.requestPaused', (event) => this.#decide(session, event));
    session.on('Target.attachedToTarget', (event) => this.attach(event));
    session.on('Target.detachedFromTarget', ({ sessionId }) => {
      this.#documents.delete(sessionId);
      this.#workers.delete(sessionId);
      this.#options.recorder.inFlight.removeAll(sessionId);
      this.#sessions.delete(this.#chromium.connection.session(sessionId));
    });
    this.#options.recorder.listen(session, worker);
    session.sendAndForget('Network.enable', BUFFERS);
    session.sendAndForget('Network.setUserAgentOverride', this.#options.identity);
    session.sendAndForget('Target.setAutoAttach', AUTO_ATTACH);
  }

  #decide(session: CdpSession, event: Payload<'Fetch.requestPaused'>): void {
    if (answerServiceWrite(session, event)) return;
    const { requestId, frameId, request, networkId, resourceType } = event;
    const url = URL.parse(request.url);
    const isDocument = resourceType === 'Document';
    const isPage = frameId === this.#mainTarget && isDocument;
    if ((isPage && this.navigationBlocked) || this.#isHarmful(event, isDocument)) {
      if (networkId) this.#options.recorder.markNavigationBlocked(networkId);
      // Unlike a blocked one, it leaves the document where it is.
      const errorReason = isDocument ? 'Aborted' : 'BlockedByClient';
      session.sendAndForget('Fetch.failRequest', { requestId, errorReason });
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
    if (networkId) this.#options.recorder.markNavigationBlocked(networkId);
    session.sendAndForget('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
  }

  #isHarmful({ frameId, request }: Payload<'Fetch.requestPaused'>, isDocument: boolean): boolean {
    if (!this.#clicked) return false;
    const { click, documents } = this.#clicked;
    const replaces = isDocument ? documents.get(frameId) : undefined;
    return isHarmful(click, { method: request.method, url: request.url, replaces, isDocument });
  }
}
