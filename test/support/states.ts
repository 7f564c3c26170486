import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { DESK, isForEverybody } from './accessible.ts';
import { useConsole } from './console.ts';

/** Functions by state name. Each creates a state and returns an element that is visible in it. */
export type States = Record<string, () => Promise<Locator>>;

const PATIENCE_MS = 30_000;

export const API = '**/wp-json/svc/v1';

/** A page of the console without data, from which the next one is opened without loading the console again. */
const NOWHERE = '/admin/nowhere';
const NOT_FOUND = 'Page not found';
/** Removes what a load removes as well: cached responses, except of the session, and messages. */
const FORGET = `(() => {
  const place = document.getElementById('console');
  const root = place[Object.keys(place).find((each) => each.startsWith('__reactContainer$'))];
  const findClient = (fiber) =>
    fiber && (fiber.memoizedProps?.client ?? findClient(fiber.child) ?? findClient(fiber.sibling));
  const client = findClient(root.stateNode.current);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  for (const each of document.querySelectorAll('.mantine-Notification-closeButton')) each.click();
})()`;

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
  const moveTo = (path: string) => states.page.evaluate(`history.pushState({}, '', '${path}')`);
  const states = {
    app,
    open,
    openSignedIn,
    /** The page in which states are created. Tests may replace it. */
    page: undefined as unknown as Page,
    /** Loads the console at an address, without waiting for its data. */
    waitingAt,
    /** Opens a page, in the console that earlier states have loaded if there is one. */
    async at(screen: string) {
      if (states.page.url() === app.url + NOWHERE) await moveTo(`/admin${screen}`);
      else await waitingAt(screen);
      await states.page.locator('h1', { hasNotText: NOT_FOUND }).waitFor();
      await expect
        .poll(() => states.page.locator('[aria-busy=true]').count(), { timeout: PATIENCE_MS })
        .toBe(0);
    },
    text: (words: string | RegExp) => states.page.getByText(words).first(),
    field: (name: string) => states.page.getByRole('textbox', { name, exact: true }),
    press: (name: string | RegExp) =>
      states.page.getByRole('button', { name, exact: true }).first().click(),
    /** A message of the console, which stays: in a window of another size, the pointer would no longer be over it. */
    async message(words: string) {
      const found = states.page.getByRole('alert').filter({ hasText: words });
      await found.hover();
      await states.page.evaluate(
        `addEventListener('mouseout', (event) => event.stopPropagation(), { capture: true })`,
      );
      return found;
    },
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
    const isSignedIn = (await states.page.locator('.rail').count()) > 0;
    if (isSignedIn) {
      await moveTo(NOWHERE);
      await states.page.locator('h1', { hasText: NOT_FOUND }).waitFor();
    } else await states.page.goto('about:blank');
    await states.page.unrouteAll({ behavior: 'ignoreErrors' });
    if (isSignedIn) await states.page.evaluate(FORGET);
  });
  return states;
}
