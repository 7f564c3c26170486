import { isPixelUrl } from '../../vendors/index.ts';
import type { LoadObservation, Observation } from '../observation.ts';

/** At most so wide and high is what nobody is meant to see, in CSS pixels. */
const TINY = 2;
const ID_PARAMETER = /id$/i;
const ID_MIN_LENGTH = 4;
const MOST_HOPS = 5;

/**
 * Tells images that count visits from those that are there to be looked at. One image may have been
 * seen in several ways: what any of them tells holds.
 */
export function createPixelClassifier(
  observations: readonly Observation[],
): (url: string) => boolean {
  const images = Map.groupBy(
    observations.filter((seen): seen is LoadObservation => seen.kind === 'image'),
    ({ url }) => url,
  );
  const judge = (url: string, hops: number): boolean => {
    if (isPixelUrl(url)) return true;
    const seen = images.get(url) ?? [];
    if (seen.length === 0) return false;
    if (seen.some(isHidden) || neverShown(seen)) return true;
    if (hasId(url) && seen.every(({ size, visible }) => !size && !visible)) return true;
    // Where a pixel redirects to is told the same.
    return seen.some(
      ({ redirectedFrom }) =>
        redirectedFrom !== undefined && hops < MOST_HOPS && judge(redirectedFrom, hops + 1),
    );
  };
  return (url) => judge(url, 0);
}

function isHidden({ inNoscript, size, visible, failure }: LoadObservation): boolean {
  if (inNoscript) return true;
  // A picture that did not arrive has no size, and that tells nothing.
  if (failure !== undefined && size?.width === 0 && size.height === 0) return false;
  if (size && size.width <= TINY && size.height <= TINY) return true;
  return visible === false && failure === undefined;
}

/** Asked for by a script, and put into no document. */
function neverShown(seen: readonly LoadObservation[]): boolean {
  return seen.every(
    ({ size, sources, initiator = '', redirectedFrom }) =>
      !size &&
      !sources.some((source) => source === 'dom' || source === 'html') &&
      redirectedFrom === undefined &&
      // The background of something.
      !/\.css(?:[?#]|$)/.test(initiator),
  );
}

const hasId = (url: string): boolean =>
  [...new URL(url).searchParams].some(
    ([key, value]) => ID_PARAMETER.test(key) && value.length >= ID_MIN_LENGTH,
  );
