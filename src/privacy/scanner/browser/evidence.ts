import type { Evidence, Observation, ScanState } from '../observation.ts';

/** The states that the two parts of a visit stand for: before and after its choice. */
export type VisitPhases = Readonly<Record<'before' | 'after', readonly ScanState[]>>;

interface Moment {
  /** Milliseconds after the visit began. */
  at: number;
  url: string;
  initiator?: string | undefined;
}

/** Evidence that an observation was at work at a moment, for each state that its part of the visit stands for. */
export function toEvidence(
  phases: VisitPhases,
  { consentState }: Pick<Observation, 'consentState'>,
  { at, url, initiator }: Moment,
): Evidence[] {
  return phases[consentState].map((state) => ({
    state,
    url,
    ...(initiator !== undefined && { initiator }),
    at,
  }));
}
