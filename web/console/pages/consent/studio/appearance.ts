import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { write } from '../../../api/client.ts';
import type { CheckedAppearance, ConsentSettings } from '../../../api/types.ts';
import { isWithin } from '../../../components/within.ts';

export type Appearance = ConsentSettings['appearance'];
export type Position = ConsentSettings['position'];
export type Scheme = keyof Appearance['colors'];
export type ColorName = keyof Appearance['colors'][Scheme];

/** As the API accepts it. */
export const COLOR = /^#[0-9a-f]{6}$/i;
/** What is wrong with the text of a colour field. */
export const findColorProblem = (text: string | null): string | null =>
  !text || COLOR.test(text) ? null : 'Write a colour as #rrggbb, for example #1f4aa8.';

export const findRadiusProblem = isWithin(0, 32);
export const findLogoHeightProblem = isWithin(16, 96);

/** An appearance without what is not typed to the end: it has the defaults. */
function toShown({ colors, radius, logo, ...appearance }: Appearance): Partial<Appearance> {
  const shown = Object.entries(colors).map(([scheme, each]) => [
    scheme,
    Object.fromEntries(
      Object.entries(each).map(([name, color]) => [name, findColorProblem(color) ? null : color]),
    ),
  ]);
  return {
    ...appearance,
    ...(!findRadiusProblem(radius) && { radius }),
    ...(!(logo && findLogoHeightProblem(logo.height)) && { logo }),
    colors: Object.fromEntries(shown),
  };
}

/** The contrast of each pair of colours, and what the banner needs to know of an appearance that is not saved yet. */
export const appearanceQuery = (typed: Appearance) => {
  // Versions from before this setting do not have it.
  const appearance = typed && toShown(typed);
  return queryOptions({
    queryKey: ['banner-appearance', appearance],
    queryFn: ({ signal }) =>
      write<CheckedAppearance>('POST', '/consent/banner/appearance', { appearance }, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
};
