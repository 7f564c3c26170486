import {
  type CookieObservation,
  isUnstored,
  type Observation,
  type StateVisit,
  type StorageObservation,
  type VisitRequest,
} from '../observation.ts';
import type { VisitPhases } from './evidence.ts';
import {
  isSameKey,
  listKept,
  listNetworkObservations,
  listStored,
} from './network-observations.ts';
import type { Recorder } from './recorder.ts';
import type { Snapshot } from './snapshot.ts';

/** The snapshots of a visit with a choice. */
export interface ChoiceSnapshots {
  /** Before the choice. */
  before?: Snapshot;
  /** Between the choice and the reload. */
  pressed?: Snapshot;
  /** At the end. */
  after?: Snapshot;
}

/**
 * What was at work after the choice: requested, set or stored anew. What had been stored before and was not written
 * again is left out.
 */
export function listAfterChoice(
  state: 'rejected' | 'withdrawn',
  recorder: Recorder,
  { before, pressed, after }: ChoiceSnapshots,
): Observation[] {
  const phases: VisitPhases = { before: [], after: [state] };
  const snapshots = [before, pressed, after].filter((each) => each !== undefined);
  const stored = before ? [...listStored(before, 'before')] : [];
  const cookies = recorder.cookies(snapshots);
  const isNew = (kept: Observation, until: Snapshot): boolean => {
    if (kept.kind === 'cookie') {
      const isSame = (other: CookieObservation) =>
        other.name === kept.name && other.domain === kept.domain && !isUnstored(other);
      // If it is unknown what was stored before, it may have been. A recorded cookie has its own evidence.
      const wasStored = before !== undefined && (before.cookies?.some(isSame) ?? true);
      return !wasStored && !cookies.some(isSame);
    }
    if (kept.kind !== 'storage') return false;
    const written = recorder.storedKeys.all.filter((key) => isSameKey(key, kept));
    const seen = snapshots.slice(0, snapshots.indexOf(until) + 1);
    if (written.length === 0)
      return !stored.some((key) => isSameKey(key, kept)) || hasChanged(kept, seen);
    // It may have been written between the first snapshot and the choice.
    const later = seen.filter((snapshot) => snapshot !== before);
    return written.some(({ consentState }) => consentState === 'after') || hasChanged(kept, later);
  };
  const kept = [pressed, after].flatMap((snapshot) =>
    snapshot
      ? listKept(recorder, snapshot, 'after', phases).filter((each) => isNew(each, snapshot))
      : [],
  );
  return [...listNetworkObservations(recorder, snapshots, phases), ...kept].filter(wasAtWork);
}

/** Whether a key was written between snapshots, with or without `setItem`. Frames that were not read tell nothing. */
function hasChanged({ area, name, origin }: StorageObservation, snapshots: Snapshot[]): boolean {
  const fingerprints = snapshots
    .map(({ frames }) => frames.filter((frame) => frame.origin === origin))
    .filter((frames) => frames.length > 0)
    .map((frames) => frames.find((frame) => `${area} ${name}` in frame.fingerprints))
    .map((frame) => frame?.fingerprints[`${area} ${name}`]);
  return new Set(fingerprints).size > 1;
}

/** What was at work in a visit without a choice, with Global Privacy Control. */
export function listWithGpc(recorder: Recorder, { after }: ChoiceSnapshots): Observation[] {
  const phases: VisitPhases = { before: ['gpc'], after: [] };
  return [
    ...listNetworkObservations(recorder, after ? [after] : [], phases),
    ...(after ? listKept(recorder, after, 'before', phases) : []),
  ].filter(wasAtWork);
}

const wasAtWork = ({ evidence = [] }: Observation): boolean => evidence.length > 0;

/** What a visit recorded until a snapshot, for its record. */
export function toRecording(
  recorder: Recorder,
  snapshot: Snapshot | undefined,
  isIncluded: (request: VisitRequest) => boolean = () => true,
): Pick<StateVisit, 'requests' | 'cookies' | 'storage' | 'picture' | 'tcString'> {
  const requests = recorder.loads().map(
    (load): VisitRequest => ({
      url: load.url,
      method: load.method,
      kind: load.kind,
      at: load.at,
      isAfterChoice: load.consentState === 'after',
      ...(load.initiator !== undefined && { initiator: load.initiator }),
      ...(load.redirectedFrom !== undefined && { redirectedFrom: load.redirectedFrom }),
      ...(load.status !== undefined && { status: load.status }),
      ...(load.mimeType !== undefined && { mimeType: load.mimeType }),
      ...(load.failure !== undefined && { failure: load.failure }),
    }),
  );
  return {
    requests: requests.filter(isIncluded),
    cookies: snapshot?.cookies ?? [],
    storage: snapshot ? [...listStored(snapshot, 'before')] : [],
    ...(snapshot?.picture && { picture: snapshot.picture }),
    ...(snapshot?.tcString !== undefined && { tcString: snapshot.tcString }),
  };
}
