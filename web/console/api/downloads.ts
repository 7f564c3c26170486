import { notifyError } from '../components/notify.ts';
import { get, getNonce, type Query, toUrl } from './client.ts';
import { queryClient } from './queries.ts';

const PARAMETER = '_wpnonce';

/** A URL with the nonce, for links and pictures that the browser opens itself. */
export const getDownloadUrl = (path: string, query: Query = {}): string =>
  toUrl(path, { ...query, [PARAMETER]: getNonce() });

/**
 * Asks the server before a link is followed: the browser would show its error in place of the console. The session can
 * have expired, and the nonce of a page that has been open for a day.
 */
async function download(event: MouseEvent): Promise<void> {
  const link = event.target instanceof Element && event.target.closest('a');
  if (!(link instanceof HTMLAnchorElement && link.href.includes(`${PARAMETER}=`))) return;
  const url = new URL(link.href);
  event.preventDefault();
  // Opened in the click: browsers block windows that open later.
  const tab = link.target ? window.open('', link.target) : null;
  try {
    const queryFn = () => get('/users/me');
    await queryClient.fetchQuery({ queryKey: ['download'], queryFn, staleTime: 0, retry: false });
    url.searchParams.set(PARAMETER, getNonce());
    (tab ?? window).location.assign(url);
  } catch (error) {
    tab?.close();
    notifyError(error);
  }
}

document.addEventListener('click', (event) => void download(event));
