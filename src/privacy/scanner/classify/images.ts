import { isPixelUrl } from '../../vendors/index.ts';
import type { LoadObservation, Observation } from '../observation.ts';

/** CSS pixels. */
const TINY = 2;
const ID_PARAMETER = /id$/i;
const ID_MIN_LENGTH = 4;
const MOST_HOPS = 5;

/** Distinguishes tracking pixels from visible images. An image with several observations is a pixel if one says so. */
export function createPixelClassifier(
  observations: readonly Observation[],
): (url: string) => boolean {
  const images = Map.groupBy(
    observations.filter((seen): seen is LoadObservation => seen.kind === 'image'),
    ({ url }) => url,
  );
  const isPixel = (url: string, hops: number): boolean => {
    if (isPixelUrl(url)) return true;
    const seen = images.get(url) ?? [];
    if (seen.length === 0) return false;
    if (seen.some(isHidden) || neverShown(seen)) return true;
    if (hasId(url) && seen.every(({ size, visible }) => !size && !visible)) return true;
    // The target of a pixel's redirect is a pixel, too.
    return seen.some(
      ({ redirectedFrom }) =>
        redirectedFrom !== undefined && hops < MOST_HOPS && isPixel(redirectedFrom, hops + 1),
    );
  };
  return (url) => isPixel(url, 0);
}

function isHidden({ inNoscript, size, visible, failure }: LoadObservation): boolean {
  if (inNoscript) return true;
  // A failed image has no size.
  if (failure !== undefined && size?.width === 0 && size.height === 0) return false;
  if (size && size.width <= TINY && size.height <= TINY) return true;
  return visible === false && failure === undefined;
}

/** Requested by a script and never inserted into a document. */
function neverShown(seen: readonly LoadObservation[]): boolean {
  return seen.every(
    ({ size, sources, initiator = '', redirectedFrom }) =>
      !size &&
      !sources.some((source) => source === 'dom' || source === 'html') &&
      redirectedFrom === undefined &&
      // Images of style sheets are backgrounds.
      !/\.css(?:[?#]|$)/.test(initiator),
  );
}

const hasId = (url: string): boolean =>
  [...new URL(url).searchParams].some(
    ([key, value]) => ID_PARAMETER.test(key) && value.length >= ID_MIN_LENGTH,
  );
