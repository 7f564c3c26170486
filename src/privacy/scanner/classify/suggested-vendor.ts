export type Suggest = (url: string) => string | undefined;

let loading: Promise<Suggest> | undefined;

/** Company names for hosts that the vendor library does not have. Loaded on the first call. */
export function loadVendorNames(): Promise<Suggest> {
  loading ??= import('third-party-web/nostats-subset.js').then(
    // Node only knows the exports of this CommonJS module after it has run.
    ({ default: names }) =>
      (url) =>
        names.getEntity(url)?.name,
  );
  return loading;
}
