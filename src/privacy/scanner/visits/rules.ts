import type { StateVisit } from '../observation.ts';
import type { Shortcoming } from '../verdicts/shortcoming.ts';

/** Pictures of one scan. */
export const PICTURES_MAX = 200;
/** After these only pages with a broken promise or a shortcoming keep theirs. */
const PICTURES_OF_ALL = 100;

/** Completed scans, the most recent ones, whose pictures are kept. */
export const SCANS_WITH_PICTURES = 30;
/** Why a picture was removed. */
export const PICTURES_KEPT = `Only pictures of the ${SCANS_WITH_PICTURES} most recent completed scans are kept, and of checks of blocked findings since then.`;

/** @param isRemarkable the page has a broken promise or a shortcoming */
export const mayKeepPictures = (kept: number, isRemarkable: boolean): boolean =>
  kept < (isRemarkable ? PICTURES_MAX : PICTURES_OF_ALL);

export interface PageShortcoming extends Shortcoming {
  pageUrl: string;
}

export interface ShortcomingTally extends Shortcoming {
  pageUrls: string[];
}

/** Each kind of shortcoming once, with its pages. The explanation is that of the first page. */
export const tallyShortcomings = (found: readonly PageShortcoming[]): ShortcomingTally[] =>
  [...Map.groupBy(found, ({ code }) => code).values()]
    .flatMap((same) => {
      const [first] = same;
      if (!first) return [];
      const { pageUrl: _, ...shortcoming } = first;
      return [{ ...shortcoming, pageUrls: [...new Set(same.map(({ pageUrl }) => pageUrl))] }];
    })
    .sort((a, b) => b.pageUrls.length - a.pageUrls.length);

interface VisitEnd extends Pick<StateVisit, 'state' | 'outcome'> {
  error?: string | null;
}

/** Whether a visit ended before it showed what a rejection or a withdrawal leads to. */
export function hasEndedEarly(visits: readonly VisitEnd[]): boolean {
  // Without consent nothing could be withdrawn, which is not for lack of time.
  const isAccepted = visits.some(
    ({ state, outcome }) => state === 'accepted' && outcome === 'reached',
  );
  return visits.some(
    ({ state, outcome, error }) =>
      error != null &&
      (state === 'rejected' || (state === 'withdrawn' && (isAccepted || outcome === 'reached'))),
  );
}
