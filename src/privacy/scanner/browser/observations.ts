import { findContainerIds, getMeasurementIds, parseContainer } from '../containers.ts';
import { htmlThread } from '../html/html-thread.ts';
import {
  type ContainerObservation,
  type CookieObservation,
  type Observation,
  observed,
  type StorageObservation,
} from '../observation.ts';
import { toEvidence, type VisitPhases } from './evidence.ts';
import type { FrameReading } from './frame-scripts.ts';
import { mergeObservations } from './merge-observations.ts';
import type { RecordedLoad, Recorder } from './recorder.ts';
import type { VisitProgress } from './simulate-visitor.ts';
import type { Snapshot } from './snapshot.ts';

/** For all documents of a page. */
const HTML_MAX = 3_000_000;
/** The visit in which the banner is accepted stands for two states. */
const ACCEPTING: VisitPhases = { before: ['before', 'accepted'], after: ['accepted'] };

export async function listObservations(
  recorder: Recorder,
  findings: VisitProgress,
): Promise<Observation[]> {
  const { before, after } = findings;
  const known = new Set<string>();
  return mergeObservations([
    ...inNetwork(recorder, findings, ACCEPTING),
    ...(await markup(recorder, findings)),
    ...(await inDocuments(before, 'before', known, findings)),
    ...(await inDocuments(after, 'after', known, findings)),
  ]);
}

/** What was requested, and the cookies and containers that came with it. */
function inNetwork(
  recorder: Recorder,
  { before, after }: VisitProgress,
  phases: VisitPhases,
): Observation[] {
  const loads = withSizes(recorder.loads(), [before, after]);
  const cookies = recorder.cookies([before, after].flatMap((snapshot) => snapshot?.cookies ?? []));
  return [
    ...loads.map(({ at, isUnsent, ...load }) => ({
      ...load,
      ...(!isUnsent && { evidence: toEvidence(phases, load, { at, ...load }) }),
    })),
    ...cookies.map(({ at, ...cookie }) => ({
      ...cookie,
      evidence: toEvidence(phases, cookie, { at, ...locateSetter(cookie) }),
    })),
    ...inContainers(recorder, phases),
  ];
}

/** A response that set a cookie stands for itself; a script did so in its document. */
const locateSetter = ({ sources, setBy, frameUrl }: CookieObservation) =>
  sources.includes('header') ? { url: setBy ?? frameUrl } : { url: frameUrl, initiator: setBy };

/** Observations from the original HTML, before scripts changed it. */
async function markup({ main }: Recorder, findings: VisitProgress): Promise<Observation[]> {
  if (!main?.body) return [];
  return read(main.body, main.url, findings);
}

/** @param known documents that were read before */
async function inDocuments(
  snapshot: Snapshot | undefined,
  consentState: 'before' | 'after',
  known: Set<string>,
  findings: VisitProgress,
): Promise<Observation[]> {
  if (!snapshot) return [];
  const found: Observation[] = [...snapshot.cookies, ...stored(snapshot, consentState)].map(
    (kept) => ({
      ...kept,
      evidence: toEvidence(ACCEPTING, kept, { at: snapshot.at, url: kept.frameUrl }),
    }),
  );
  let left = HTML_MAX;
  for (const frame of snapshot.frames) {
    if (known.has(frame.html) || frame.html.length > left) continue;
    known.add(frame.html);
    left -= frame.html.length;
    const pageUrl = /^https?:/.test(frame.url) ? frame.url : frame.base;
    for (const seen of await read(frame.html, pageUrl, findings)) {
      const sources = seen.sources.map((source) => (source === 'html' ? 'dom' : source));
      found.push({ ...seen, sources, consentState });
    }
  }
  return found;
}

/** Returns nothing if the document is too large; the result is then marked as incomplete. */
async function read(
  html: string,
  pageUrl: string,
  findings: VisitProgress,
): Promise<Observation[]> {
  const found = await htmlThread.observe(html, { pageUrl, setCookies: [], headers: {} });
  if (!found) findings.cutShort = true;
  return found ?? [];
}

function* stored(
  { frames, databases }: Snapshot,
  consentState: 'before' | 'after',
): Generator<StorageObservation> {
  const areas = [
    ...frames.flatMap(({ url, origin, local, session }) => [
      { area: 'local' as const, names: local, url, origin },
      { area: 'session' as const, names: session, url, origin },
    ]),
    ...databases.map((frame) => ({ area: 'indexeddb' as const, ...frame })),
  ];
  for (const { area, names, url, origin } of areas) {
    for (const name of names) {
      yield {
        kind: 'storage',
        area,
        name,
        origin,
        ...observed('dom', consentState, url),
      };
    }
  }
}

function* inContainers(recorder: Recorder, phases: VisitPhases): Generator<ContainerObservation> {
  for (const load of recorder.loads()) {
    const { url, frameUrl, consentState } = load;
    const isLoader = load.kind === 'script' || load.kind === 'frame';
    const ids = isLoader ? findContainerIds(url) : getMeasurementIds(url);
    for (const id of ids) {
      yield {
        kind: 'container',
        id,
        ...(isLoader && { url }),
        tags: [],
        ...observed('network', consentState, frameUrl),
        evidence: toEvidence(phases, load, load),
      };
    }
  }
  for (const { load, text } of recorder.bodies) {
    const { url, frameUrl, consentState } = load;
    const container = parseContainer(url, text);
    if (!container) continue;
    yield {
      kind: 'container',
      ...container,
      url,
      ...observed('network', consentState, frameUrl),
      sources: ['network', 'script'],
      evidence: toEvidence(phases, load, load),
    };
  }
}

/** Adds rendered sizes to images. A redirect has the size of its target. */
function withSizes(loads: RecordedLoad[], snapshots: (Snapshot | undefined)[]): RecordedLoad[] {
  const laidOut = new Map<string, FrameReading['images'][number]>();
  for (const image of snapshots
    .flatMap((snapshot) => snapshot?.frames ?? [])
    .flatMap((frame) => frame.images)) {
    const url = image.url.replace(/#.*$/s, '');
    if (!laidOut.get(url)?.visible) laidOut.set(url, image);
  }
  return loads.map((load) => {
    if (load.kind !== 'image') return load;
    const image = laidOut.get(load.url) ?? laidOut.get(load.redirectedFrom ?? '');
    if (!image) return load;
    laidOut.set(load.url, image);
    const { width, height, visible } = image;
    return { ...load, size: { width: Math.round(width), height: Math.round(height) }, visible };
  });
}
