import type { ChromiumSettings } from './candidates.ts';
import type { CdpSession } from './cdp.ts';
import { launchChromium } from './chromium.ts';
import { PAINTED } from './frame-scripts.ts';
import { withTimeout } from './timeouts.ts';

/** A page that exists only in the browser: no request of it leaves the machine. */
export interface LocalPage {
  /** The URL of the page, to which `answer` responds as well. */
  url: string;
  /** Answers a request; undefined is a 404. */
  answer(url: URL): { type: string; body: string | Buffer } | undefined;
}

/** What a picture shows; sizes in CSS pixels. */
export interface Screen {
  width: number;
  height: number;
  /** Device pixels per CSS pixel. */
  scale: number;
  isMobile: boolean;
  scheme: 'light' | 'dark';
}

export interface OpenPage {
  /** Runs JavaScript in the page and waits for its promise. @throws Error if that fails or takes 10 s */
  run(expression: string): Promise<void>;
  /** @returns a PNG */
  takePicture(screen: Screen): Promise<Buffer>;
}

/** A browser that shows local pages only. */
export interface LocalBrowser {
  open<T>(page: LocalPage, work: (open: OpenPage) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const STEP_MS = 10_000;

/**
 * Starts a browser for local pages.
 * @param signal ends it
 * @throws BrowserUnavailableError
 */
export async function openLocalBrowser(
  settings: ChromiumSettings,
  signal: AbortSignal,
): Promise<LocalBrowser> {
  const { connection, close } = await launchChromium(settings);
  signal.addEventListener('abort', () => void close(), { once: true });
  const { browser } = connection;
  return {
    close,
    async open(page, work) {
      const { browserContextId } = await browser.send('Target.createBrowserContext');
      try {
        const target = { url: 'about:blank', browserContextId };
        const { targetId } = await browser.send('Target.createTarget', target);
        const { sessionId } = await browser.send('Target.attachToTarget', {
          targetId,
          flatten: true,
        });
        const session = connection.session(sessionId);
        await show(session, page);
        return await work(toOpenPage(session));
      } finally {
        await withTimeout(
          browser.send('Target.disposeBrowserContext', { browserContextId }),
          STEP_MS,
        );
      }
    },
  };
}

async function show(session: CdpSession, page: LocalPage): Promise<void> {
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const answer = request.method === 'GET' ? page.answer(new URL(request.url)) : undefined;
    session.sendAndForget('Fetch.fulfillRequest', {
      requestId,
      responseCode: answer ? 200 : 404,
      responseHeaders: [{ name: 'content-type', value: answer?.type ?? 'text/plain' }],
      body: Buffer.from(answer?.body ?? '').toString('base64'),
    });
  });
  await session.send('Fetch.enable', { patterns: [{ requestStage: 'Request' }] });
  await session.send('Page.enable');
  const loaded = new Promise<void>((resolve) => session.on('Page.loadEventFired', () => resolve()));
  await session.send('Page.navigate', { url: page.url });
  await orFail(loaded, 'The page did not load');
}

function toOpenPage(session: CdpSession): OpenPage {
  async function run(expression: string): Promise<void> {
    const { exceptionDetails } = await orFail(
      session.send('Runtime.evaluate', { expression, awaitPromise: true }),
      'The page did not respond',
    );
    const { exception, text } = exceptionDetails ?? {};
    if (exceptionDetails) throw new Error(exception?.description ?? text);
  }
  return {
    run,
    async takePicture({ scheme, scale, isMobile, ...size }) {
      await session.send('Emulation.setDeviceMetricsOverride', {
        ...size,
        deviceScaleFactor: scale,
        mobile: isMobile,
      });
      await session.send('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: scheme }],
      });
      await run(PAINTED);
      const { data } = await orFail(
        session.send('Page.captureScreenshot', { format: 'png' }),
        'The page was not painted',
      );
      return Buffer.from(data, 'base64');
    },
  };
}

/** @throws Error after `STEP_MS` */
async function orFail<T>(step: Promise<T>, message: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${message} in time.`)), STEP_MS);
  return Promise.race([step, late.promise]).finally(() => clearTimeout(timer));
}
