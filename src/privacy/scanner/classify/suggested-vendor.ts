/** The name that a list of well-known companies has for a URL's host. */
export type Suggest = (url: string) => string | undefined;

let loading: Promise<Suggest> | undefined;

/**
 * The tail behind the vendor library: names for hosts that it does not know. Read on the first call,
 * since only scans need it.
 */
export function loadVendorNames(): Promise<Suggest> {
  loading ??= import('third-party-web/nostats-subset.js').then(
    // Of a module of this kind, Node knows the names of the exports only when it has run.
    ({ default: names }) =>
      (url) =>
        names.getEntity(url)?.name,
  );
  return loading;
}
