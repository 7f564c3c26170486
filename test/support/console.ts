import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type TestApp, useTestApp } from './test-app.ts';
import { makeUser } from './users.ts';

interface Console {
  app: TestApp;
  /** Opens a page signed out. Collects its uncaught errors in `faults`. */
  open(path: string, options?: BrowserContextOptions): Promise<{ page: Page; faults: string[] }>;
  /** Opens a page as an administrator. */
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

  return {
    app,
    async open(path, options) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', ({ message }) => faults.push(message));
      await page.goto(`${app.url}/admin${path}`);
      return { page, faults };
    },
    async openSignedIn(path, options) {
      const { login, password } = await makeUser(app.platform);
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      await context.request.post(`${app.url}/console/session`, { data: { login, password } });
      const page = await context.newPage();
      await page.goto(`${app.url}/admin${path}`);
      return page;
    },
    heading: (page, name) => page.getByRole('heading', { level: 1, name }),
  };
}
