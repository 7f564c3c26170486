import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result, RunOptions } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';

const NOT_TESTED = 'frame-tested';
/** A few letters that need two bytes would double the size of the whole script on its way to the page. */
const toAscii = (script: string): string =>
  script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
/**
 * Minified: half the size to send and parse. In the frames of a page, each instance answers the one above it, whatever
 * their origins; a frame without an answer is a violation.
 */
const AXE = `${toAscii(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))}
;axe.configure({
  allowedOrigins: ['<unsafe_all_origins>'],
  checks: [{ id: '${NOT_TESTED}', options: { isViolation: true } }],
}); 0`;
/** How often a frame may be replaced between loading axe and running it. */
const LOADS_MAX = 5;

/** Two-dimensional content, and the thumbs of switches, which overflow their track. */
const PICTURES = '.scroll, .preview-place, .mantine-Switch-track';
/** Content for screen readers only, or visible only on focus. */
const UNSEEN =
  '.unseen, .visually-hidden, .mantine-VisuallyHidden-root, .skip-link, .skip, .trap, thead tr';
const TARGET_PX = 44;
/** With smaller text, Safari on an iPhone zooms into the field and does not zoom out. */
const FIELD_TEXT_PX = 16;
/** The box around these inputs is the target and is measured instead. */
const WITHIN_A_FIELD = '.mantine-PasswordInput-innerInput, .mantine-TagsInput-inputField';

/** Colour changes by scripts are painted up to two frames later. */
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
export const DESK = { width: 1440, height: 900 };

/**
 * Runs axe on the current page and its frames. Returns each violated rule with the first failing element.
 * @param rules IDs of the rules to run; default: all rules
 */
export async function axeFinds(page: Page, rules?: string[]): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    // Only an experimental rule needs style sheets, and axe would load all of them again.
    preload: { assets: ['media'] },
    // By default, axe leaves out a frame that takes half a second to answer.
    pingWaitTime: 5_000,
    ...(rules && { runOnly: { type: 'rule', values: [...rules, NOT_TESTED] } }),
  };
  // Returns only violations: the whole result takes seconds to send.
  const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  let violations: Result[] = [];
  for (let loads = 0; loads < LOADS_MAX; loads++) {
    await loadAxe(page);
    violations = await page.evaluate(run);
    if (!violations.some(({ id }) => id === NOT_TESTED)) break;
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Kept until the page is closed: the end of any session ends the virtual authenticators of the page. */
const sessions = new WeakMap<Page, CDPSession>();

/** Loads axe into each frame that does not have it. */
async function loadAxe(page: Page): Promise<void> {
  const isChromium = page.context().browser()?.browserType().name() === 'chromium';
  for (const frame of page.frames()) {
    try {
      if (await frame.evaluate('"axe" in window')) continue;
      if (isChromium && frame === page.mainFrame()) {
        // Runs the script as one. `evaluate` sends it as the text of an `eval`, which takes twice as long.
        const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
        sessions.set(page, session);
        await session.send('Runtime.evaluate', { expression: AXE });
      } else await frame.evaluate(AXE);
    } catch (error) {
      if (!frame.isDetached()) throw error;
    }
  }
}

/** Lists without markers, which VoiceOver announces as lists only if they have the role or are in a `nav`. */
export const listsWithoutRole = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('ul:not([role], nav *), ol:not([role], nav *)')]
    .filter((each) => each.checkVisibility() && each.children.length > 1)
    .filter((each) => [...each.children].every((item) => {
      const { display, listStyleType } = getComputedStyle(item);
      return display !== 'list-item' || listStyleType === 'none';
    }))
    .map((each) => each.outerHTML.slice(0, 140))`);

const tooSmallForAFinger = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll(
      'button, select, textarea, input:not([type=checkbox], [type=radio], ${WITHIN_A_FIELD}), .mantine-Input-input, nav a, .calls a, .way a, summary, .mantine-Button-root')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('${UNSEEN}'))
    .filter((each) => each.getBoundingClientRect().right > 0)
    .filter((each) => each.getBoundingClientRect().height < ${TARGET_PX} - 0.5)
    .map((each) => each.getBoundingClientRect().height + ' ' + each.outerHTML.slice(0, 140))`);

/** Fields that Safari on an iPhone zooms into when they get the focus. */
const zoomsOnFocus = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('textarea, select, input:not([type=checkbox], [type=radio], [type=color], [type=file])')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('${UNSEEN}'))
    .filter((each) => parseFloat(getComputedStyle(each).fontSize) < ${FIELD_TEXT_PX})
    .map((each) => getComputedStyle(each).fontSize + ' ' + each.outerHTML.slice(0, 140))`);

const scrollsSideways = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('html, html *:not(.unseen, .visually-hidden, .mantine-VisuallyHidden-root)')]
    .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
    .filter((each) => getComputedStyle(each).overflowX !== 'visible' || each.tagName === 'HTML')
    .filter((each) => !each.closest('${PICTURES}') && !/^(INPUT|SELECT)$/.test(each.tagName))
    .filter((each) => each.clientWidth > 2)
    .map((each) => each.outerHTML.slice(0, 120))`);

/** Elements outside the viewport that scrolling cannot reach. */
const besideTheScreen = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('body *')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => !each.closest('${UNSEEN}, ${PICTURES}'))
    .filter((each) => each.getBoundingClientRect().width > 2)
    .filter((each) => {
      const { left, right } = each.getBoundingClientRect();
      return left < -1 || right > innerWidth + 1;
    })
    .map((each) => each.outerHTML.slice(0, 120))`);

interface Looks {
  /** False for third-party sites, whose target sizes are not checked. */
  isOurs?: boolean;
}

/** Checks accessibility on a desktop in light mode, on a phone in dark mode, and at 400 % zoom. */
export async function isForEverybody(page: Page, options: Looks = {}): Promise<void> {
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(PAINTED);
  expect(await axeFinds(page), '1440 px, light').toEqual([]);
  expect(await listsWithoutRole(page), '1440 px').toEqual([]);
  await isForPhones(page, options);
}

/** Like `isForEverybody`, for content of narrow screens only. */
export async function isForPhones(page: Page, { isOurs = true }: Looks = {}): Promise<void> {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(PAINTED);
  expect(await axeFinds(page), '360 px, dark').toEqual([]);
  if (isOurs) {
    expect(await tooSmallForAFinger(page), '360 px').toEqual([]);
    expect(await zoomsOnFocus(page), '360 px').toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 256 });
  await page.evaluate(PAINTED);
  // The layout of the console moves for 200 ms where the navigation disappears.
  await expect.poll(() => scrollsSideways(page), { message: '320 px' }).toEqual([]);
  await expect.poll(() => besideTheScreen(page), { message: '320 px' }).toEqual([]);
}
