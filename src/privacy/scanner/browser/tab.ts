import { randomAlphanumeric } from '../../../platform/crypto/random.ts';
import type { CdpSession, Payload } from './cdp.ts';
import type { Chromium } from './chromium.ts';
import type { Click } from './click-guard.ts';
import {
  GPC_SCRIPT,
  hookScript,
  ISOLATED_WORLD,
  listenScript,
  workerScript,
} from './hook-scripts.ts';
import type { Identity } from './identity.ts';
import type { Recorder } from './recorder.ts';
import { RequestGuard } from './request-guard.ts';
import { withTimeout } from './timeouts.ts';

type Attached = Payload<'Target.attachedToTarget'>;

export interface TabOptions {
  proxy: { server: string; username: string; password: string };
  identity: Identity;
  /** Whether the page, not its frames, may navigate to the URL. */
  mayNavigate(url: URL): boolean;
  /** Sends Global Privacy Control: header and property of `navigator`. */
  sendsGpc: boolean;
  recorder: Recorder;
}

export const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
const BUFFERS = { maxTotalBufferSize: 20_000_000, maxResourceBufferSize: 5_000_000 };
const PATTERN_MS = 500;
const DISPOSE_MS = 2_000;

/** One page with its frames and workers, each of which is paused until it is set up. */
export class Tab {
  onClose = () => {};
  readonly requests: RequestGuard;
  readonly contextId: string;
  readonly #chromium: Chromium;
  readonly #options: TabOptions;
  /** Event name between our scripts; unknown to the page. */
  readonly secret = randomAlphanumeric(16);
  readonly #targets = new Set<string>();
  readonly #sessions = new Set<CdpSession>();
  readonly #documents = new Map<string, CdpSession>();
  readonly #workers = new Map<string, CdpSession>();
  readonly #main = Promise.withResolvers<CdpSession>();
  readonly #gone = Promise.withResolvers<never>();
  readonly #loaded = Promise.withResolvers<void>();
  readonly #gpcScript: string;
  #mainTarget = '';
  #reloaded: PromiseWithResolvers<void> | undefined;
  #recording = new AbortController();
  #mainSession: CdpSession | undefined;

  constructor(chromium: Chromium, contextId: string, options: TabOptions) {
    this.#chromium = chromium;
    this.contextId = contextId;
    this.#options = options;
    this.#gpcScript = options.sendsGpc ? GPC_SCRIPT : '';
    this.requests = new RequestGuard(options);
    this.#gone.promise.catch(() => {});
    chromium.connection.once('close', this.#onGone);
  }

  get browser(): CdpSession {
    return this.#chromium.connection.browser;
  }

  get main(): Promise<CdpSession> {
    return this.#main.promise;
  }

  /** The frame ID equals the target ID. */
  get mainFrame(): string {
    return this.#mainTarget;
  }

  /** Rejects when the page or the browser has crashed; never resolves. */
  get crashed(): Promise<never> {
    return this.#gone.promise;
  }

  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  /** The page and its out-of-process frames. */
  documents(): CdpSession[] {
    return [...this.#documents.values()];
  }

  workers(): CdpSession[] {
    return [...this.#workers.values()];
  }

  /** Records with another recorder from now on, and allows requests again if the first one was full. */
  record(recorder: Recorder): void {
    this.#recording.abort();
    this.#recording = new AbortController();
    this.#options.recorder = recorder;
    for (const session of this.#sessions) {
      session.sendAndForget('Network.setBlockedURLs', { urls: [] });
      recorder.listen(session, this.#workers.has(session.id), this.#recording.signal);
    }
  }

  /** Allows a navigation of ours. Resolves at the next `load` event. */
  prepareReload(): Promise<void> {
    this.requests.navigationBlocked = false;
    this.#reloaded = Promise.withResolvers();
    return this.#reloaded.promise;
  }

  blockRequests(): void {
    for (const session of this.#sessions)
      session.sendAndForget('Network.setBlockedURLs', { urls: ['*'] });
  }

  /**
   * Checks all later requests in all frames and workers for harm.
   * @param documents URLs by frame ID of documents that must not be replaced
   */
  async guardClick(click: Click, documents: ReadonlyMap<string, string>): Promise<void> {
    this.requests.guardClick(click, documents);
    const pausing = [...this.#sessions].map((session) =>
      withTimeout(session.send('Fetch.enable', this.#pauses(session)), PATTERN_MS),
    );
    await Promise.all(pausing);
  }

  attach({ sessionId, targetInfo }: Attached): void {
    const session = this.#chromium.connection.session(sessionId);
    const { targetId, type } = targetInfo;
    // Service workers are attached twice.
    const isNew = !this.#targets.has(targetId);
    this.#targets.add(targetId);
    if (isNew && type === 'page' && this.#mainTarget !== '') {
      // Popups are recorded by their opener. Closing one while it is paused would leave the opener paused.
      session.on('Fetch.requestPaused', ({ requestId }) =>
        session.sendAndForget('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }),
      );
      session.sendAndForget('Fetch.enable', { patterns: [{ requestStage: 'Request' }] });
      session.sendAndForget('Runtime.runIfWaitingForDebugger');
      this.browser.sendAndForget('Target.closeTarget', { targetId });
      return;
    }
    if (isNew && (type === 'page' || type === 'iframe')) this.#equipDocument(session, targetInfo);
    else if (isNew && type.endsWith('worker')) this.#equipWorker(session);
    session.sendAndForget('Runtime.runIfWaitingForDebugger');
    if (isNew && type === 'page') void this.#whenEquipped(session);
  }

  /** @returns false if the browser does not respond and must be ended */
  async close(): Promise<boolean> {
    this.onClose();
    this.#chromium.connection.off('close', this.#onGone);
    const { contextId: browserContextId } = this;
    const disposed = this.browser.send('Target.disposeBrowserContext', { browserContextId });
    return (
      (await withTimeout(
        disposed.then(() => true),
        DISPOSE_MS,
      )) === true
    );
  }

  readonly #onGone = () => this.#gone.reject(new Error('gone'));

  #equipDocument(session: CdpSession, { targetId, type }: Attached['targetInfo']): void {
    this.#documents.set(session.id, session);
    session.on('Inspector.targetCrashed', this.#onGone);
    session.on('Page.javascriptDialogOpening', ({ type: dialog }) =>
      session.sendAndForget('Page.handleJavaScriptDialog', {
        accept: dialog === 'beforeunload' && this.#reloaded !== undefined,
      }),
    );
    session.sendAndForget('Page.enable');
    session.sendAndForget('Page.addScriptToEvaluateOnNewDocument', {
      source: listenScript(this.secret),
      worldName: ISOLATED_WORLD,
    });
    session.sendAndForget('Page.addScriptToEvaluateOnNewDocument', {
      source: hookScript(this.secret) + this.#gpcScript,
    });
    this.#equip(session, false);
    if (type === 'page') this.#equipMain(session, targetId);
    else session.sendAndForget('Fetch.enable', this.#pauses(session));
  }

  readonly #pauses = (session: CdpSession) =>
    this.requests.listPauses(session === this.#mainSession);

  /** Settings are passed on to the next renderer only after the first has confirmed them. */
  async #whenEquipped(session: CdpSession): Promise<void> {
    await session.send('Runtime.evaluate', { expression: '0' }).catch(() => {});
    this.#main.resolve(session);
  }

  #equipMain(session: CdpSession, targetId: string): void {
    this.#mainTarget = targetId;
    session.on('Page.loadEventFired', () => {
      this.#loaded.resolve();
      this.#reloaded?.resolve();
    });
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
      expression: workerScript(this.secret, this.#options.identity) + this.#gpcScript,
    });
  }

  #equip(session: CdpSession, worker: boolean): void {
    this.#sessions.add(session);
    session.on('Fetch.requestPaused', (event) =>
      this.requests.decide(session, event, this.#mainTarget),
    );
    session.on('Target.attachedToTarget', (event) => this.attach(event));
    session.on('Target.detachedFromTarget', ({ sessionId }) => {
      this.#documents.delete(sessionId);
      this.#workers.delete(sessionId);
      this.#options.recorder.inFlight.removeAll(sessionId);
      this.#sessions.delete(this.#chromium.connection.session(sessionId));
    });
    this.#options.recorder.listen(session, worker, this.#recording.signal);
    session.sendAndForget('Network.enable', BUFFERS);
    session.sendAndForget('Network.setUserAgentOverride', this.#options.identity);
    if (this.#options.sendsGpc) {
      session.sendAndForget('Network.setExtraHTTPHeaders', { headers: { 'Sec-GPC': '1' } });
    }
    session.sendAndForget('Target.setAutoAttach', AUTO_ATTACH);
  }
}
