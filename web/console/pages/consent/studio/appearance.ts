import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { write } from '../../../api/client.ts';
import type { CheckedAppearance, ConsentSettings } from '../../../api/types.ts';

export type Appearance = ConsentSettings['appearance'];
export type Position = ConsentSettings['position'];
export type Scheme = keyof Appearance['colors'];
export type ColorName = keyof Appearance['colors'][Scheme];

/** The contrast of each pair of colours, and what the banner needs to know of an appearance that is not saved yet. */
export const appearanceQuery = (appearance: Appearance) =>
  queryOptions({
    queryKey: ['banner-appearance', appearance],
    queryFn: ({ signal }) =>
      write<CheckedAppearance>('POST', '/consent/banner/appearance', { appearance }, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
