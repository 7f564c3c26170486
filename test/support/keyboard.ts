import type { ElementHandle, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const STOPS = 150;
/** Time after an action in which the focus may still be lost. */
const SETTLED_MS = 60;
const PATIENCE_MS = 30_000;

/**
 * The outline of the focused element. Switches and tag inputs draw it on another element. Titles and frames need
 * none: a title cannot be pressed, and a frame draws its own.
 */
const RING = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) {
    const busy = [...document.querySelectorAll('button[data-loading]')].map((each) => each.textContent);
    const messages = [...document.querySelectorAll('[role=alert]')].map((each) => each.textContent);
    return 'the focus is lost ' + JSON.stringify({ busy, messages });
  }
  if (at.matches('h1, main, iframe')) return 'solid 2px';
  const seen = at.matches('[role=switch]')
    ? at.nextElementSibling
    : (at.closest('.mantine-TagsInput-input') ?? at);
  const { outlineStyle, outlineWidth } = getComputedStyle(seen);
  return outlineStyle + ' ' + outlineWidth;
})()`;
/** As RING, but a document in which Tab was not pressed yet needs no focus. */
const RING_IF_TABBED = `document.wasTabbed || document.activeElement !== document.body ? ${RING} : 'solid 2px'`;
const HOLDS_TEXT = `document.activeElement.matches('textarea, input:not([type=date])')`;
const FOCUSED = `document.activeElement?.outerHTML.slice(0, 200)`;

/** In all. */
const TYPED_MAX = 3;
const CHOSEN_MS = 2_000;

export interface Keyboard {
  /** By its exact name, or a pattern. */
  button(name: string | RegExp): Locator;
  link(name: string | RegExp): Locator;
  /** Presses Tab or Shift+Tab until the target has the focus. */
  tabTo(target: Locator): Promise<void>;
  /** Moves to the target and presses a key; default: Enter. */
  press(target: Locator, key?: string): Promise<void>;
  /** Moves to a field and replaces its text, or selects the option that starts with the text. */
  type(target: Locator, text: string): Promise<void>;
  /** Opens the menu of a button and chooses an item of it. */
  choose(button: Locator, item: string): Promise<void>;
  /** Presses a button of the open dialog. */
  sure(name: string): Promise<void>;
  /** Waits until the target has the focus, without pressing a key. */
  isAt(target: Locator): Promise<void>;
  /** Waits until the target is visible, and checks that the focus is not lost. */
  sees(target: Locator | string | RegExp): Promise<void>;
}

/** The text of the selected option. */
const getOption = (field: { selectedOptions?: ArrayLike<{ text: string }> }) =>
  field.selectedOptions?.[0]?.text;

/** The direction of an element from the focus. */
const wayTo = (place: ElementHandle | null) =>
  place?.evaluate((each) => {
    const at = each.ownerDocument.activeElement;
    if (at === each) return 'here';
    if (!each.isConnected) return 'gone';
    return each.compareDocumentPosition(at) & each.DOCUMENT_POSITION_FOLLOWING ? 'back' : 'on';
  });

/** Simulates a keyboard-only user. Each step checks that the focus is visible. */
export function atKeyboard(page: Page): Keyboard {
  page.setDefaultTimeout(PATIENCE_MS);
  const isSomewhere = (message: string, ring = RING) =>
    expect
      .poll(() => page.evaluate<string>(ring), { message, timeout: PATIENCE_MS })
      .toBe('solid 2px');
  /** Whether a list of options has one selected that starts with the text; true for other fields. */
  const isChosen = (target: Locator, text: string): Promise<boolean> =>
    expect
      .poll(() => target.first().evaluate(getOption), { timeout: CHOSEN_MS })
      .toSatisfy((option?: string) => option?.toLowerCase().startsWith(text.toLowerCase()) ?? true)
      .then(
        () => true,
        () => false,
      );
  const called = (name: string | RegExp) => ({ name, exact: typeof name === 'string' });
  const keys: Keyboard = {
    button: (name) => page.getByRole('button', called(name)),
    link: (name) => page.getByRole('link', called(name)),
    async tabTo(target) {
      await isSomewhere(`on the way to ${target}`, RING_IF_TABBED);
      let place = await target.first().elementHandle();
      let way = await wayTo(place);
      const key = way === 'back' ? 'Shift+Tab' : 'Tab';
      for (let stop = 0; way !== 'here'; stop += 1) {
        if (stop === STOPS) throw new Error(`the Tab key never leads to ${target}`);
        // The element may have been rendered again.
        if (way === 'gone') place = await target.first().elementHandle();
        else await page.keyboard.press(key);
        way = await wayTo(place);
      }
      await isSomewhere(String(target));
      // In the document and not here, since the next document may be visible long before it is loaded.
      await page.evaluate('document.wasTabbed = true');
    },
    async press(target, key = 'Enter') {
      await keys.tabTo(target);
      await page.keyboard.press(key);
    },
    async type(target, text) {
      await keys.tabTo(target);
      if (await page.evaluate<boolean>(HOLDS_TEXT)) await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
      // A browser takes a letter that comes a second after the last one for the first of another option.
      for (let typed = 1; typed < TYPED_MAX && !(await isChosen(target, text)); typed++)
        await page.keyboard.type(text);
    },
    async choose(button, item) {
      await keys.press(button);
      const wanted = page.getByRole('menuitem', { name: item, exact: true });
      await wanted.waitFor();
      for (let step = 0; step < STOPS; step += 1) {
        if ((await wanted.and(page.locator(':focus')).count()) > 0) break;
        await page.keyboard.press('ArrowDown');
      }
      await keys.isAt(wanted);
      await page.keyboard.press('Enter');
    },
    sure: (name) => keys.press(page.getByRole('dialog').getByRole('button', called(name))),
    async isAt(target) {
      try {
        await target.and(page.locator(':focus')).waitFor();
      } catch (cause) {
        throw new Error(`the focus is at ${await page.evaluate(FOCUSED)}`, { cause });
      }
    },
    async sees(target) {
      const isText = typeof target === 'string' || target instanceof RegExp;
      await (isText ? page.getByText(target) : target).first().waitFor();
      await page.waitForTimeout(SETTLED_MS);
      await isSomewhere(`when one sees ${target}`);
    },
  };
  return keys;
}
