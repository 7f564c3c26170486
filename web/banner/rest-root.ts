/** The server that serves this file puts its own address here; without that it is where WordPress has it. */
const SERVED = '/wp-json#rest-root';

/** The REST root: the one given, or that of the server that the file came from. */
export function restRootOf(given: string | undefined, file: string): string {
  const { origin, pathname } = new URL(given || SERVED, file);
  return origin + pathname.replace(/\/$/, '');
}
