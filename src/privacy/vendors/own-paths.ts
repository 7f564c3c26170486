import type { VendorPatterns } from './match.ts';

/** The vendor behind each of some URLs of the site itself that are recognised by their path. */
export type OwnPathFinder<V> = (urls: readonly string[]) => Map<string, V>;

/**
 * Prepares vendors whose services sites pass on from their own domain. Their hosts tell nothing then; the
 * paths and parameters do. Some paths tell only together: many sites have a `/js/script.js`.
 */
export function createOwnPathFinder<V extends VendorPatterns>(
  vendors: readonly V[],
): OwnPathFinder<V> {
  const rules = vendors.flatMap((vendor) => [
    ...(vendor.ownPaths ?? []).map((path) => ({ vendor, patterns: [new RegExp(path)] })),
    ...(vendor.ownPathsTogether
      ? [{ vendor, patterns: vendor.ownPathsTogether.map((path) => new RegExp(path)) }]
      : []),
  ]);
  return (urls) => {
    const paths = urls.flatMap((url) => {
      const parsed = URL.parse(url);
      return parsed ? [{ url, path: parsed.pathname + parsed.search }] : [];
    });
    const found = new Map<string, V>();
    for (const { vendor, patterns } of rules) {
      const matches = patterns.map((pattern) => paths.filter(({ path }) => pattern.test(path)));
      if (matches.some((each) => each.length === 0)) continue;
      for (const { url } of matches.flat()) if (!found.has(url)) found.set(url, vendor);
    }
    return found;
  };
}
