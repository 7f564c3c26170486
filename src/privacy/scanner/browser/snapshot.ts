import { type CookieObservation, observed } from '../observation.ts';
import {
  type FrameDatabases,
  type FrameReading,
  READ_DATABASES,
  READ_FRAME,
} from './frame-scripts.ts';
import { evaluateInFrames } from './frames.ts';
import type { Recorder } from './recorder.ts';
import type { Tab } from './tab.ts';
import { withTimeout } from './timeouts.ts';

const READ_MS = 1_200;
const SAME_SITE = { Strict: 'strict', Lax: 'lax', None: 'none' } as const;

/** Frames, storage and cookies of a page at one moment. */
export interface Snapshot {
  /** Milliseconds after the visit began. */
  at: number;
  frames: FrameReading[];
  databases: FrameDatabases[];
  cookies: CookieObservation[];
}

/** Reads all frames and cookies, and passes their reports to the recorder. A frame that does not answer in time is left out. */
export async function takeSnapshot(tab: Tab, recorder: Recorder): Promise<Snapshot> {
  const { consentState } = recorder;
  const [readings, databases, jar] = await Promise.all([
    evaluateInFrames<FrameReading>(tab, READ_FRAME),
    evaluateInFrames<FrameDatabases>(tab, READ_DATABASES),
    withTimeout(
      tab.browser.send('Storage.getCookies', { browserContextId: tab.contextId }),
      READ_MS,
    ),
    withTimeout(recorder.waitForBodies(), READ_MS),
  ]);
  for (const report of readings.flatMap(({ value }) => value.cookieReports)) {
    recorder.reportCookie(report);
  }
  const frameUrl = recorder.main?.url ?? '';
  return {
    at: recorder.elapsed,
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
      ...observed('dom', consentState, frameUrl),
    })),
  };
}
