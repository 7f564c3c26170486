import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { DESK, isForEverybody } from './accessible.ts';
import { useConsole } from './console.ts';

/** Makes a state, and gives what is seen in it. */
export type States = Record<string, () => Promise<Locator>>;

const PATIENCE_MS = 30_000;

export const API = '**/wp-json/svc/v1';

/** Looks at a page in each state, by default whether it is for everybody. */
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

/** A console that is brought into one state after the other, and looked at in each. */
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
    /** Where states are made; another one may take its place. */
    page: undefined as unknown as Page,
    /** As `at`, where an answer never comes. */
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
    /** Sees to it that each state is for everybody, and lasts while it is looked at. */
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
    // Before what waits is let through: nothing is to come of it.
    await states.page.goto('about:blank');
    await states.page.unrouteAll({ behavior: 'ignoreErrors' });
  });
  return states;
}
