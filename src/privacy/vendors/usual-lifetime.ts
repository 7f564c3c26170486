import type { KnownVendor } from './known.ts';
import { findBuiltinVendor } from './library.ts';
import { createVendorIndex } from './match.ts';

/**
 * How long a vendor usually stores a cookie or storage key: seconds, or in words where there is no number. Undefined if
 * the library does not know. Many lifetimes of the library are not confirmed: show an observed one first.
 */
export function findUsualLifetime(
  { slug, isBuiltin }: Pick<KnownVendor, 'slug' | 'isBuiltin'>,
  name: string,
  host: string,
): number | 'session' | 'until_deleted' | undefined {
  const builtin = isBuiltin ? findBuiltinVendor(slug) : undefined;
  const cookie = builtin && createVendorIndex([builtin]).byCookie(name, { host })?.cookie;
  if (!cookie) return undefined;
  if (cookie.seconds === null) return 'until_deleted';
  return cookie.seconds === 0 ? 'session' : cookie.seconds;
}
