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

  /**
   * An empty page, signed out. A context keeps its process, which has compiled the console: opening a page in a new
   * context takes twice the processor time.
   */
  async function openEmpty(options?: BrowserContextOptions): Promise<Page> {
    const isReusable = isInTest && !options;
    const earlier = isReusable ? unused.pop() : undefined;
    const context = earlier ?? (await browser.newContext({ reducedMotion: 'reduce', ...options }));
    if (isReusable) used.push(context);
    const pages = context.pages();
    const page = await context.newPage();
    if (!earlier) return page;
    for (const each of pages) await each.close();
    const session = await context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin: app.url, storageTypes: 'all' });
    await session.detach();
    await context.clearPermissions();
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
