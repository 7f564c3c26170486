import { observed } from '../observation.ts';
import {
  type FrameDatabases,
  type FrameDetail,
  type FrameReading,
  PAINTED,
  READ_DATABASES,
  READ_TC_STRING,
  readFrame,
} from './frame-scripts.ts';
import { evaluateInFrames, getIsolatedWorld } from './frames.ts';
import type { Recorder } from './recorder.ts';
import type { CookieReading } from './set-cookies.ts';
import type { Tab } from './tab.ts';
import { withTimeout } from './timeouts.ts';

const READ_MS = 1_200;
const PICTURE_MS = 1_500;
/** Half of the window's: legible, at a quarter of the size. */
const PICTURE_WIDTH = 683;
const PAINTED_MS = 300;
const TC_STRING_MAX = 20_000;
const SAME_SITE = { Strict: 'strict', Lax: 'lax', None: 'none' } as const;

/** Frames, storage and cookies of a page at one moment. */
export interface Snapshot extends CookieReading {
  frames: FrameReading[];
  databases: FrameDatabases[];
  /** JPEG of the window. */
  picture?: Buffer;
  /** The TCF consent string that the page offers. */
  tcString?: string;
}

/** Whether cookies may be missing in it. */
export const isWithoutCookies = (snapshot: Snapshot | undefined): boolean =>
  snapshot !== undefined && snapshot.cookies === undefined;

export interface SnapshotOptions {
  /** What is read of each frame; default `documents`. */
  detail?: FrameDetail;
  /** With a picture and the consent string, for the record of a state; default false. */
  isRecorded?: boolean;
}

/** Reads all frames and cookies, and passes their reports to the recorder. A frame that does not answer in time is left out. */
export async function takeSnapshot(
  tab: Tab,
  recorder: Recorder,
  { detail = 'documents', isRecorded = false }: SnapshotOptions = {},
): Promise<Snapshot> {
  const { consentState, elapsed } = recorder;
  const [readings, databases, jar, tcString] = await Promise.all([
    evaluateInFrames<FrameReading>(tab, readFrame(detail)),
    evaluateInFrames<FrameDatabases>(tab, READ_DATABASES),
    withTimeout(
      tab.browser.send('Storage.getCookies', { browserContextId: tab.contextId }),
      READ_MS,
    ),
    isRecorded ? readTcString(tab) : undefined,
    withTimeout(recorder.waitForBodies(), READ_MS),
  ]);
  for (const { value } of readings) {
    for (const report of value.cookieReports) recorder.reportCookie(report);
    for (const report of value.storageReports) recorder.reportStorage(report);
  }
  const frameUrl = recorder.main?.url ?? '';
  const readAt = recorder.elapsed;
  // After the reading, because a page that is hidden may be painted late.
  const picture = isRecorded ? await takePicture(tab) : undefined;
  return {
    at: elapsed,
    readAt,
    ...(picture && { picture }),
    ...(tcString && { tcString }),
    frames: readings.map(({ value }) => value),
    databases: databases.map(({ value }) => value),
    cookies: jar?.cookies.map((cookie) => ({
      kind: 'cookie',
      name: cookie.name,
      domain: cookie.domain.replace(/^\./, ''),
      path: cookie.path,
      lifetimeSeconds: cookie.session ? null : Math.round(cookie.expires - Date.now() / 1_000),
      secure: cookie.secure,
      httpOnly: cookie.httpOnly,
      sameSite: cookie.sameSite ? SAME_SITE[cookie.sameSite] : null,
      blockedReasons: [],
      ...observed('dom', consentState, frameUrl),
    })),
  };
}

/** A frame of a screencast: it takes half of the processor time of a screenshot, and does not change the page's size. */
async function takePicture(tab: Tab): Promise<Buffer | undefined> {
  const main = await tab.main;
  const take = async () => {
    const contextId = await getIsolatedWorld(main, tab.mainFrame);
    // The first frame is the one that was shown last.
    const painted = main.send('Runtime.evaluate', {
      expression: PAINTED,
      contextId,
      awaitPromise: true,
    });
    await withTimeout(painted, PAINTED_MS);
    const taken = Promise.withResolvers<string>();
    main.on('Page.screencastFrame', ({ data }) => taken.resolve(data));
    await main.send('Page.startScreencast', {
      format: 'jpeg',
      quality: 50,
      maxWidth: PICTURE_WIDTH,
      maxHeight: PICTURE_WIDTH,
    });
    return taken.promise;
  };
  const data = await withTimeout(take(), PICTURE_MS);
  main.sendAndForget('Page.stopScreencast');
  return data === undefined ? undefined : Buffer.from(data, 'base64');
}

/** In the page's own world, where its consent banner defines `__tcfapi`. */
async function readTcString(tab: Tab): Promise<string | undefined> {
  const main = await tab.main;
  const answer = await withTimeout(
    main.send('Runtime.evaluate', {
      expression: READ_TC_STRING,
      awaitPromise: true,
      returnByValue: true,
      timeout: READ_MS,
    }),
    READ_MS,
  );
  const text = answer?.result.value;
  return typeof text === 'string' && text !== '' ? text.slice(0, TC_STRING_MAX) : undefined;
}
