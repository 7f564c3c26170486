import type { CookieObservation } from '../observation.ts';
import { type AcceptButton, CLICK_ACCEPT, FIND_ACCEPT } from './accept-button.ts';
import type { CdpSession } from './cdp.ts';
import { type InFrame, inEveryFrame, ourWorld } from './frames.ts';
import {
  type FrameDatabases,
  type FrameReading,
  READ_DATABASES,
  READ_FRAME,
  SCROLLED,
} from './page-scripts.ts';
import type { Recorder } from './recorder.ts';
import { settle } from './settle.ts';
import type { Tab } from './tab.ts';
import { within } from './within.ts';

const LOAD_MS = 8_000;
const LOOK_MS = 3_000;
const READ_MS = 1_200;
const WHEEL_TURNS = 12;
const WHEEL_STILL = 3;
const SAME_SITE = { Strict: 'strict', Lax: 'lax', None: 'none' } as const;

/** How the page stood at one moment. */
export interface Snapshot {
  frames: FrameReading[];
  databases: FrameDatabases[];
  cookies: CookieObservation[];
}

/** What the steps have come to; filled while they go on, so that it is there when they are cut short. */
export interface Findings {
  before?: Snapshot;
  after?: Snapshot;
  /** Why there is no page, in the browser's word. */
  failure?: string;
  /** The time was up before the last step, or before all of the page was there. */
  cutShort?: boolean;
}

/** The visit's time is up. */
class TimeIsUp extends Error {}

/**
 * Behaves like a visitor: comes, waits, looks around, agrees to everything, waits again. What it
 * triggers is the recorder's to write down.
 * @param signal ends the steps; the page is then read once more as it stands
 * @throws when the page or the browser is gone
 */
export async function walkThrough(
  tab: Tab,
  recorder: Recorder,
  url: string,
  signal: AbortSignal,
  findings: Findings,
): Promise<void> {
  const up = Promise.withResolvers<never>();
  up.promise.catch(() => {});
  const onAbort = () => up.reject(new TimeIsUp());
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  const until = <T>(step: Promise<T>) => Promise.race([step, up.promise, tab.gone]);
  try {
    await steps(tab, recorder, url, until, findings);
  } catch (error) {
    if (!(error instanceof TimeIsUp)) throw error;
    findings.cutShort = true;
    const late = await Promise.race([snapshot(tab, recorder), tab.gone]);
    if (findings.before) findings.after ??= late;
    else findings.before = late;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function steps(
  tab: Tab,
  recorder: Recorder,
  url: string,
  until: <T>(step: Promise<T>) => Promise<T>,
  findings: Findings,
): Promise<void> {
  const main = await until(tab.main);
  const arrived = await until(within(main.send('Page.navigate', { url }), LOAD_MS));
  if (!arrived || arrived.errorText) {
    findings.failure = arrived?.errorText ?? 'net::ERR_TIMED_OUT';
    return;
  }
  const isLoaded = await until(
    within(
      tab.loaded.then(() => true),
      LOAD_MS,
    ),
  );
  if (!isLoaded) findings.cutShort = true;
  const loadedAt = Date.now();
  await until(settle(tab, recorder, { lingers: false }));
  await until(within(lookAround(tab, main), LOOK_MS));
  const lively = await until(settle(tab, recorder));
  let button = await until(findAccept(tab));
  if (!button && lively) {
    await until(settle(tab, recorder, { loadedAt }));
    button = await until(findAccept(tab));
  }
  findings.before = await until(snapshot(tab, recorder));
  if (!button) return;
  recorder.agree();
  await until(press(button, main));
  await until(settle(tab, recorder, { loadedAt }));
  findings.after = await until(snapshot(tab, recorder));
}

/** Frames and cookies; a frame that does not answer in time is left out. */
async function snapshot(tab: Tab, recorder: Recorder): Promise<Snapshot> {
  const { consentState } = recorder;
  const [readings, databases, jar] = await Promise.all([
    inEveryFrame<FrameReading>(tab, READ_FRAME),
    inEveryFrame<FrameDatabases>(tab, READ_DATABASES),
    within(tab.browser.send('Storage.getCookies', { browserContextId: tab.contextId }), READ_MS),
    within(recorder.settled(), READ_MS),
  ]);
  for (const report of readings.flatMap(({ value }) => value.cookieReports)) {
    recorder.reportCookie(report);
  }
  const frameUrl = recorder.main?.url ?? '';
  return {
    frames: readings.map(({ value }) => value),
    databases: databases.map(({ value }) => value),
    cookies: (jar?.cookies ?? []).map((cookie) => ({
      kind: 'cookie',
      name: cookie.name,
      domain: cookie.domain.replace(/^\./, ''),
      path: cookie.path,
      lifetimeSeconds: cookie.session ? null : Math.round(cookie.expires - Date.now() / 1_000),
      secure: cookie.secure,
      httpOnly: cookie.httpOnly,
      sameSite: cookie.sameSite ? SAME_SITE[cookie.sameSite] : null,
      blockedReasons: [],
      sources: ['dom'],
      consentState,
      frameUrl,
      waitsForConsent: false,
    })),
  };
}

/** The mouse across the page, and the wheel down to its end, in at most twelve turns. */
async function lookAround(tab: Tab, main: CdpSession): Promise<void> {
  const spots = [
    [200, 150],
    [500, 300],
    [640, 420],
  ] as const;
  await Promise.all(
    spots.map(([x, y]) => main.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })),
  );
  const { cssContentSize, cssVisualViewport } = await main.send('Page.getLayoutMetrics');
  const { height } = cssContentSize;
  const contextId = await ourWorld(main, tab.mainFrame);
  // Half a window at a time: whatever is shorter is seen whole.
  const half = cssVisualViewport.clientHeight / 2;
  const deltaY = Math.max(half, Math.min(2_000, height / WHEEL_TURNS));
  // Pictures may come before what the wheel has moved.
  for (let turn = 0, still = 0; turn < WHEEL_TURNS && still < WHEEL_STILL; turn++) {
    await main.send('Input.dispatchMouseEvent', {
      type: 'mouseWheel',
      x: 640,
      y: 420,
      deltaX: 0,
      deltaY,
    });
    const { result } = await main.send('Runtime.evaluate', {
      expression: SCROLLED,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    still = result.value?.moved ? 0 : still + 1;
  }
}

/** The button that agrees to everything. */
async function findAccept(tab: Tab): Promise<InFrame<AcceptButton> | undefined> {
  const [found] = await inEveryFrame<AcceptButton>(tab, FIND_ACCEPT);
  return found;
}

async function press(
  { session, contextId, value: { x, y, free } }: InFrame<AcceptButton>,
  main: CdpSession,
): Promise<void> {
  const isPage = session === main && free;
  if (!isPage) {
    const click = session.send('Runtime.evaluate', {
      expression: CLICK_ACCEPT,
      contextId,
      userGesture: true,
    });
    await within(click, READ_MS);
    return;
  }
  for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'] as const) {
    const event = {
      type,
      x,
      y,
      button: 'left' as const,
      clickCount: type === 'mouseMoved' ? 0 : 1,
    };
    await within(main.send('Input.dispatchMouseEvent', event), READ_MS);
  }
}
