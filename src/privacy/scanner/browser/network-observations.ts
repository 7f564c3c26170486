import { findContainerIds, getMeasurementIds, parseContainer } from '../containers.ts';
import {
  type ConsentState,
  type ContainerObservation,
  type CookieObservation,
  isUnsent,
  isUnstored,
  type Observation,
  observed,
  type StorageObservation,
} from '../observation.ts';
import { toEvidence, type VisitPhases } from './evidence.ts';
import type { FrameReading } from './frame-scripts.ts';
import type { RecordedLoad } from './recorded.ts';
import type { Recorder } from './recorder.ts';
import type { Snapshot } from './snapshot.ts';

/** What was requested, and the cookies and containers that came with it. */
export function listNetworkObservations(
  recorder: Recorder,
  snapshots: readonly Snapshot[],
  phases: VisitPhases,
): Observation[] {
  const loads = withSizes(recorder.loads(), snapshots);
  const cookies = recorder.cookies(snapshots);
  return [
    ...loads.map(({ at, ...load }) => ({
      ...load,
      ...(!isUnsent(load) && { evidence: toEvidence(phases, load, { at, ...load }) }),
    })),
    ...cookies.map(({ at, ...cookie }) => ({
      ...cookie,
      ...(!isUnstored(cookie) && {
        evidence: toEvidence(phases, cookie, { at, ...locateSetter(cookie) }),
      }),
    })),
    ...inContainers(recorder, phases),
  ];
}

/** A response that set a cookie stands for itself; a script did so in its document. */
const locateSetter = ({ sources, setBy, frameUrl }: CookieObservation) =>
  sources.includes('header') ? { url: setBy ?? frameUrl } : { url: frameUrl, initiator: setBy };

/** Cookies and storage of a snapshot, with evidence of when they were first stored in its part of the visit. */
export function listKept(
  recorder: Recorder,
  snapshot: Snapshot,
  consentState: ConsentState,
  phases: VisitPhases,
): (CookieObservation | StorageObservation)[] {
  const stored = [...listStored(snapshot, consentState)].map((key) => {
    const [set] = recorder.storedKeys.all
      .filter((each) => each.consentState === consentState && isSameKey(each, key))
      .sort((a, b) => a.at - b.at);
    const { at, setBy: initiator } = set ?? { at: snapshot.at, setBy: undefined };
    return { ...key, evidence: toEvidence(phases, key, { at, url: key.frameUrl, initiator }) };
  });
  const cookies = (snapshot.cookies ?? []).map((cookie) => ({
    ...cookie,
    evidence: toEvidence(phases, cookie, { at: snapshot.at, url: cookie.frameUrl }),
  }));
  return [...cookies, ...stored];
}

export const isSameKey = (a: StorageObservation, b: StorageObservation): boolean =>
  a.area === b.area && a.name === b.name && a.origin === b.origin;

/** The keys and databases that a page stores, as long as it has them. */
export function* listStored(
  { frames, databases }: Snapshot,
  consentState: ConsentState,
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
    if (isUnsent(load)) continue;
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
function withSizes(loads: RecordedLoad[], snapshots: readonly Snapshot[]): RecordedLoad[] {
  const laidOut = new Map<string, FrameReading['images'][number]>();
  for (const image of snapshots
    .flatMap((snapshot) => snapshot.frames)
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
