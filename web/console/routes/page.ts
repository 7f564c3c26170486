import { lazyRouteComponent, notFound } from '@tanstack/react-router';
import { isServerReachable } from '../api/client.ts';
import { NotFound, UnreachableError } from '../pages/error-pages.tsx';

/** A positive integer: an id or a page number. */
const COUNTING_NUMBER = /^[1-9]\d{0,14}$/;

/** Whether a day exists, as `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  const moment = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(`${text}T`);
}

/** What the values of some parameters must be. */
const RULES: Record<string, (text: string) => boolean> = {
  page: (text) => COUNTING_NUMBER.test(text),
  from: isDay,
  to: isDay,
};

/** The parameters that a page reads from its address; empty ones, invalid page numbers and days are absent. */
export function readSearch<K extends string>(...names: K[]) {
  const isValid = (name: K, value: unknown): boolean =>
    Boolean(value) && (RULES[name]?.(String(value)) ?? true);
  return (search: Record<string, unknown>): Partial<Record<K, string>> =>
    Object.fromEntries(
      // The router passes other parameters through unchanged.
      names.map((name) => [name, isValid(name, search[name]) ? String(search[name]) : undefined]),
    ) as Partial<Record<K, string>>;
}

/** Options of pages of one record: for an invalid id, the navigation stays and the page is not found. */
export const pageOfRecord = {
  beforeLoad({ params }: { params: { id: string } }): void {
    if (!COUNTING_NUMBER.test(params.id)) throw notFound();
  },
  notFoundComponent: NotFound,
};

/** Loads a page with its additional style sheets. */
export function page<T extends Record<string, unknown>>(
  load: () => Promise<T>,
  name: keyof T & string,
) {
  return lazyPage(async () => {
    const [loaded] = await Promise.all([load(), import('../mantine-page-styles.ts')]);
    return loaded;
  }, name);
}

/** Loads the code of a page when it is first opened. */
export function lazyPage<T extends Record<string, unknown>>(
  load: () => Promise<T>,
  name: keyof T & string,
) {
  const fetchPage = () =>
    load().catch(async (error) => {
      // After a failed import the router reloads the whole page, which would fail without a server.
      throw (await isServerReachable()) ? error : new UnreachableError();
    });
  return lazyRouteComponent(fetchPage as () => Promise<never>, name as never);
}
