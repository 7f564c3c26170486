import { createHash } from 'node:crypto';
import type { StateVisit } from '../observation.ts';
import {
  type ConsentModeSignal,
  findConsentModeShortcomings,
  listConsentModes,
} from '../verdicts/consent-mode.ts';
import { findBannerShortcomings } from '../verdicts/fairness.ts';
import type { Shortcoming } from '../verdicts/shortcoming.ts';
import { decodeTcString, findTcShortcomings, type TcString } from '../verdicts/tc-string.ts';
import { packRecording, toRecording } from './recording.ts';

/** Signals of consent that a visit sent or offered. */
export interface VisitSignals {
  consentMode: ConsentModeSignal[];
  /** Null if the page offers no TC string, or one that cannot be read. */
  tcf: TcString | null;
  shortcomings: Shortcoming[];
}

/** The banner as measured before a choice. */
export type AssessedBanner = NonNullable<StateVisit['banner']> & { shortcomings: Shortcoming[] };

/** A visit as it is saved. */
export interface AssessedVisit
  extends Pick<StateVisit, 'state' | 'outcome' | 'clicks' | 'durationMs'> {
  error: string | null;
  signals: VisitSignals;
  banner: AssessedBanner | null;
  /** Gzipped JSON of a `Recording`. */
  recording: Buffer;
  /** JPEG */
  picture: { bytes: Buffer; sha256: string } | null;
}

/** Decodes the signals of the visits of a page and lists the shortcomings of its banner. */
export const assessVisits = (visits: readonly StateVisit[]): Promise<AssessedVisit[]> =>
  Promise.all(
    visits.map(async (visit) => {
      const { state, outcome, error, clicks, durationMs, banner, picture } = visit;
      return {
        state,
        outcome,
        error: error ?? null,
        clicks,
        durationMs: Math.round(durationMs),
        signals: await readSignals(visit),
        banner: banner ? { ...banner, shortcomings: findBannerShortcomings(visits) } : null,
        recording: await packRecording(toRecording(visit)),
        picture: picture
          ? { bytes: picture, sha256: createHash('sha256').update(picture).digest('hex') }
          : null,
      };
    }),
  );

async function readSignals(visit: StateVisit): Promise<VisitSignals> {
  const consentMode = listConsentModes(visit);
  const shortcomings = [...findConsentModeShortcomings(visit, consentMode)];
  if (!visit.tcString) return { consentMode, tcf: null, shortcomings };
  const tcf = await decodeTcString(visit.tcString);
  shortcomings.push(...findTcShortcomings(visit, tcf));
  return { consentMode, tcf, shortcomings };
}

/** Whether the page needs a picture as evidence: a promise is broken, or its banner or signals have a shortcoming. */
export const hasShortcoming = (visits: readonly AssessedVisit[]): boolean =>
  visits.some(
    ({ banner, signals }) =>
      signals.shortcomings.length > 0 || (banner?.shortcomings.length ?? 0) > 0,
  );
