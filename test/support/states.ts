import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { DESK, isForEverybody } from './accessible.ts';
import { useConsole } from './console.ts';

/** Functions by state name. Each creates a state and returns an element that is visible in it. */
export type States = Record<string, () => Promise<Locator>>;

const PATIENCE_MS = 30_000;

export const API = '**/wp-json/svc/v1';

/** Creates a test for each state; default: an accessibility check. */
export function inEachState(
  pageOf: () => Page,
  made: States,
  look: (page: Page, seen: Locator) => Promise<void> = (page) => isForEverybody(page),
): void {
  it.each(Object.entries(made))('%s', async (_what, make) => {
    await pageOf().setViewportSize(DESK);
    await pageOf().emulateMedia({ colorScheme: 'light' });
    const seen = await make();
    await seen.waitFor();
    await look(pageOf(), seen);
  });
}

/** A console whose states are created and checked one after the other. */
export function useStates(env: Record<string, string> = {}) {
  const { app, open, openSignedIn } = useConsole({
    PAVIS_DEMO: 'on',
    PAVIS_CHROMIUM: 'off',
    ...env,
  });
  const waitingAt = (screen: string) => states.page.goto(`${app.url}/admin${screen}`);
  const states = {
    app,
    open,
    openSignedIn,
    /** The page in which states are created. Tests may replace it. */
    page: undefined as unknown as Page,
    /** Like `at`, without waiting for the page to load. */
    waitingAt,
    async at(screen: string) {
      await waitingAt(screen);
      await states.page.locator('h1').waitFor();
      await expect
        .poll(() => states.page.locator('[aria-busy=true]').count(), { timeout: PATIENCE_MS })
        .toBe(0);
    },
    text: (words: string | RegExp) => states.page.getByText(words).first(),
    field: (name: string) => states.page.getByRole('textbox', { name, exact: true }),
    press: (name: string | RegExp) =>
      states.page.getByRole('button', { name, exact: true }).first().click(),
    never: (path: string) => states.page.route(API + path, () => {}),
    refuse: (path: string, status: number, code: string, message: string) =>
      states.page.route(API + path, (route) =>
        route.fulfill({ status, json: { code, message, data: { status } } }),
      ),
    /** Checks that each state is accessible and stays visible during the check. */
    areForEverybody(made: States): void {
      inEachState(
        () => states.page,
        made,
        async (page, seen) => {
          await isForEverybody(page);
          expect(await seen.isVisible()).toBe(true);
        },
      );
    },
  };
  beforeAll(async () => {
    states.page = await openSignedIn('/');
  });
  afterEach(async () => {
    // Leaves the page first, so that pending requests have no effect when the routes are removed.
    await states.page.goto('about:blank');
    await states.page.unrouteAll({ behavior: 'ignoreErrors' });
  });
  return states;
}
