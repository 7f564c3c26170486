import { isNavigation } from '../http/navigation.ts';
import type { Params } from './params.ts';
import type { RequestHead } from './raw-request.ts';

/**
 * The page of the console that a browser is sent to when it opens a link of the console that is refused: a tab without
 * the console would show the error as JSON. It is the page with the link, if the browser names it. The console asks to
 * sign in first. Links of the console have a nonce. Other requests are none of its links: undefined.
 * @param root the path of the console, with a trailing slash
 */
export function findConsolePage(
  request: RequestHead,
  query: Params,
  root: string,
): string | undefined {
  if (!isNavigation(request) || !('_wpnonce' in query)) return undefined;
  const page = URL.parse(request.headers.referer ?? '');
  return page?.pathname.startsWith(root) ? page.pathname + page.search : root;
}
