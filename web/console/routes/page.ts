import { lazyRouteComponent, notFound } from '@tanstack/react-router';
import { isServerReachable } from '../api/client.ts';
import { UnreachableError } from '../pages/error-pages.tsx';

/** An id, and a page of a list. */
const COUNTING_NUMBER = /^[1-9]\d{0,14}$/;

/** The parameters that a page reads from its address; empty ones and invalid page numbers are absent. */
export function readSearch<K extends string>(...names: K[]) {
  const isValid = (name: K, value: unknown): boolean =>
    Boolean(value) && (name !== 'page' || COUNTING_NUMBER.test(String(value)));
  return (search: Record<string, unknown>): Partial<Record<K, string>> =>
    Object.fromEntries(
      // The router passes other parameters through unchanged.
      names.map((name) => [name, isValid(name, search[name]) ? String(search[name]) : undefined]),
    ) as Partial<Record<K, string>>;
}

/** For pages of one record: an id that cannot exist is not found. */
export function checkId({ params }: { params: { id: string } }): void {
  if (!COUNTING_NUMBER.test(params.id)) throw notFound();
}

/** A page that needs more style sheets than the overview. */
export function page<T extends Record<string, unknown>>(
  load: () => Promise<T>,
  name: keyof T & string,
) {
  return lazyPage(async () => {
    const [loaded] = await Promise.all([load(), import('../mantine-page-styles.ts')]);
    return loaded;
  }, name);
}

/** A page whose code is fetched when it is first opened. */
export function lazyPage<T extends Record<string, unknown>>(
  load: () => Promise<T>,
  name: keyof T & string,
) {
  const fetchPage = () =>
    load().catch(async (error) => {
      // The router reloads the browser's page after a failed import; without a server nothing would be left.
      throw (await isServerReachable()) ? error : new UnreachableError();
    });
  return lazyRouteComponent(fetchPage as () => Promise<never>, name as never);
}
