import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type * as schemas from '../../../../src/licensing/releases/schemas.ts';
import { get, getRecord } from '../../api/client.ts';
import { ADMIN_PATH } from '../licences/queries.ts';
import { PRODUCTS } from '../products/queries.ts';

export type Release = Static<typeof schemas.ReleaseRecord>;
export type ReleaseKey = Static<typeof schemas.ReleaseKeyRecord>;
export type ReleaseFile = Static<typeof schemas.FileRecord>;

export const RELEASES = `${ADMIN_PATH}/releases`;
export const CHANNELS = [
  { value: 'stable', label: 'Stable' },
  { value: 'beta', label: 'Beta' },
] as const satisfies readonly { value: Release['channel']; label: string }[];

export const getReleasesPath = (slug: string): string => `${PRODUCTS}/${slug}/releases`;
export const getKeysPath = (slug: string): string => `${PRODUCTS}/${slug}/release-keys`;

export const releasesQuery = (slug: string) =>
  queryOptions({
    queryKey: ['desk', 'releases', slug],
    queryFn: () => get<Release[]>(getReleasesPath(slug)),
  });

export const releaseKeysQuery = (slug: string) =>
  queryOptions({
    queryKey: ['desk', 'release-keys', slug],
    queryFn: () => get<ReleaseKey[]>(getKeysPath(slug)),
  });

export const releaseQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'release', id],
    queryFn: () => getRecord<Release>(`${RELEASES}/${id}`),
  });
