import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type TestApp, useTestApp } from './test-app.ts';
import { makeUser } from './users.ts';

interface Console {
  app: TestApp;
  /**
   * Opens a page signed out, which lives until another test opens a page or, with options, until the end of the
   * block. Collects its uncaught errors in `faults`.
   */
  open(path: string, options?: BrowserContextOptions): Promise<{ page: Page; faults: string[] }>;
  /** Opens a page as a new administrator, otherwise like `open`. */
  openSignedIn(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** The title of a page. */
  heading(page: Page, name: string | RegExp): Locator;
}

/** The default of Playwright. */
const VIEWPORT = { width: 1280, height: 720 };
/** What these change in a page stays until it is closed. */
const LASTING = ['addInitScript', 'exposeFunction', 'exposeBinding', 'clock'] as const;

/** Returns the first page of a context, as if it was new. */
async function reset(context: BrowserContext, url: string): Promise<Page> {
  const [page, ...others] = context.pages() as [Page, ...Page[]];
  for (const each of others) await each.close();
  page.removeAllListeners();
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false)]);
  await context.clearPermissions();
  // Unsaved changes ask before they are discarded.
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto(`${url}/health`);
  page.removeAllListeners();
  await page.evaluate('sessionStorage.clear()');
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' });
  await session.detach();
  await page.setViewportSize(VIEWPORT);
  await page.emulateMedia({ colorScheme: null, media: null, reducedMotion: 'reduce' });
  return page;
}

/** The console on a real server in a real browser, for the tests of one block. */
export function useConsole(env: Record<string, string> = {}): Console {
  const app = useTestApp('sqlite', env);
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  let isInTest = false;
  /** Of the running test, and of tests that have ended. */
  const used: BrowserContext[] = [];
  const unused: BrowserContext[] = [];
  beforeEach(() => {
    isInTest = true;
  });
  afterEach(() => {
    isInTest = false;
    // Tests may close the context of a page.
    unused.push(...used.splice(0).filter((context) => context.pages().length > 0));
  });

  /** An empty page, signed out. A new page takes three times the processor time of one that has compiled the console. */
  async function openEmpty(options?: BrowserContextOptions): Promise<Page> {
    const isReusable = isInTest && !options;
    const earlier = isReusable ? unused.pop() : undefined;
    if (earlier) {
      used.push(earlier);
      return reset(earlier, app.url);
    }
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    if (isReusable) {
      used.push(context);
      for (const name of LASTING) {
        const value = page[name];
        const get = () => {
          used.splice(used.indexOf(context), 1);
          return value;
        };
        Object.defineProperty(page, name, { get });
      }
    }
    return page;
  }

  return {
    app,
    async open(path, options) {
      const page = await openEmpty(options);
      const faults: string[] = [];
      page.on('pageerror', ({ message }) => faults.push(message));
      await page.goto(`${app.url}/admin${path}`);
      return { page, faults };
    },
    async openSignedIn(path, options) {
      const { login, password } = await makeUser(app.platform);
      const page = await openEmpty(options);
      await page
        .context()
        .request.post(`${app.url}/console/session`, { data: { login, password } });
      await page.goto(`${app.url}/admin${path}`);
      return page;
    },
    heading: (page, name) => page.getByRole('heading', { level: 1, name }),
  };
}
