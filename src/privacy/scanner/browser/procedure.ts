import type { CookieObservation } from '../observation.ts';
import type { CdpSession } from './cdp.ts';
import {
  type AcceptButton,
  CLICK_ACCEPT,
  FIND_ACCEPT,
  type FrameReading,
  OUR_WORLD,
  READ_FRAME,
} from './page-scripts.ts';
import type { Recorder } from './recorder.ts';
import type { Tab } from './tab.ts';

const LOAD_MS = 8_000;
const QUIET_MS = 300;
const QUIET_CAP_MS = 3_000;
const DWELL_MS = 1_700;
const READ_MS = 1_200;
const FRAMES_MAX = 40;
const WHEEL_STEPS = 12;
const WHEEL_PAUSE_MS = 40;
const SAME_SITE = { Strict: 'strict', Lax: 'lax', None: 'none' } as const;

/** How the page stood at one moment. */
export interface Snapshot {
  frames: FrameReading[];
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
  await until(quiet(recorder));
  findings.before = await until(snapshot(tab, recorder));

  await until(within(lookAround(main), QUIET_CAP_MS));
  await until(quiet(recorder));
  if (await until(acceptAll(tab, main, recorder))) await until(quiet(recorder));
  await until(pause(loadedAt + DWELL_MS - Date.now()));
  findings.after = await until(snapshot(tab, recorder));
}

/** Frames and cookies; a frame that does not answer in time is left out. */
async function snapshot(tab: Tab, recorder: Recorder): Promise<Snapshot> {
  const { consentState } = recorder;
  const [readings, jar] = await Promise.all([
    inEveryFrame<FrameReading>(tab, READ_FRAME),
    within(tab.browser.send('Storage.getCookies', { browserContextId: tab.contextId }), READ_MS),
    within(recorder.settled(), READ_MS),
  ]);
  for (const report of readings.flatMap(({ value }) => value.cookieReports)) {
    recorder.reportCookie(report);
  }
  const frameUrl = recorder.main?.url ?? '';
  return {
    frames: readings.map(({ value }) => value),
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

interface InFrame<T> {
  session: CdpSession;
  contextId: number;
  value: T;
}

/** Evaluates in a world of ours in every frame, where the page's scripts cannot interfere. */
async function inEveryFrame<T>(tab: Tab, expression: string): Promise<InFrame<T>[]> {
  const evaluate = async (session: CdpSession, frameId: string) => {
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
      frameId,
      worldName: OUR_WORLD,
    });
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      contextId,
      returnByValue: true,
    });
    if (exceptionDetails || !result.value) return [];
    return [{ session, contextId, value: result.value as T }];
  };
  const perSession = tab.documents().map(async (session) => {
    const tree = await within(session.send('Page.getFrameTree'), READ_MS);
    const ids = tree ? frameIds(tree.frameTree).slice(0, FRAMES_MAX) : [];
    return Promise.all(ids.map((id) => within(evaluate(session, id), READ_MS)));
  });
  return (await Promise.all(perSession)).flat().flatMap((found) => found ?? []);
}

interface FrameTree {
  frame: { id: string };
  childFrames?: FrameTree[];
}

const frameIds = ({ frame, childFrames = [] }: FrameTree): string[] => [
  frame.id,
  ...childFrames.flatMap(frameIds),
];

/** The mouse across the page, and twelve turns of the wheel down to its end. */
async function lookAround(main: CdpSession): Promise<void> {
  for (const [x, y] of [
    [200, 150],
    [500, 300],
    [640, 420],
  ] as const) {
    await main.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
  }
  const { cssContentSize } = await main.send('Page.getLayoutMetrics');
  const deltaY = Math.max(300, Math.min(2_000, cssContentSize.height / WHEEL_STEPS));
  for (let step = 0; step < WHEEL_STEPS; step++) {
    await main.send('Input.dispatchMouseEvent', {
      type: 'mouseWheel',
      x: 640,
      y: 420,
      deltaX: 0,
      deltaY,
    });
    await pause(WHEEL_PAUSE_MS);
  }
}

/** Clicks the button that agrees to everything. @returns whether there is one */
async function acceptAll(tab: Tab, main: CdpSession, recorder: Recorder): Promise<boolean> {
  const [found] = await inEveryFrame<AcceptButton>(tab, FIND_ACCEPT);
  if (!found) return false;
  recorder.agree();
  const {
    session,
    contextId,
    value: { x, y, free },
  } = found;
  const isPage = session === main && free;
  if (!isPage) {
    const click = session.send('Runtime.evaluate', {
      expression: CLICK_ACCEPT,
      contextId,
      userGesture: true,
    });
    await within(click, READ_MS);
    return true;
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
  return true;
}

/** Until nothing has been under way for 300 ms, but at most 3 s. */
async function quiet(recorder: Recorder): Promise<void> {
  const start = Date.now();
  let quietSince = start;
  for (
    let now = start;
    now - quietSince < QUIET_MS && now - start < QUIET_CAP_MS;
    now = Date.now()
  ) {
    await pause(25);
    if (!recorder.isQuiet(Date.now())) quietSince = Date.now();
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** Undefined when it fails or takes longer. */
async function within<T>(step: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  return Promise.race([step.catch(() => undefined), late.promise]).finally(() =>
    clearTimeout(timer),
  );
}
