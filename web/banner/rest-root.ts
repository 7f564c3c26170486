/** The server replaces this with its own address. The default is that of WordPress. */
const SERVED = '/wp-json#rest-root';

/** @param file the address of the banner file */
export function toRestRoot(given: string | undefined, file: string): string {
  const { origin, pathname } = new URL(given || SERVED, file);
  return origin + pathname.replace(/\/$/, '');
}
