import type { Platform } from '../../platform/deps.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { fetchAuthorizationUrl, type WordPress } from './ask.ts';

/**
 * The page of WordPress that creates application passwords, as WordPress names it in its index: `restRoot` can be an internal
 * address, and WordPress can have a folder of its own. WordPress is asked once an hour, after a failure once a minute.
 * @param publicRoot leads to the page until WordPress has named it
 */
export function createAuthorizationUrl(
  wordPress: WordPress,
  publicRoot: string,
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
): () => Promise<string> {
  let url = toAuthorizationUrl(publicRoot);
  let until = Number.NEGATIVE_INFINITY;
  let underway: Promise<void> | undefined;
  async function refresh(): Promise<void> {
    try {
      url = await fetchAuthorizationUrl(wordPress);
      until = clock.monotonic() + HOUR_MS;
    } catch (err) {
      const message =
        'cannot get the page for application passwords from WordPress: check that PAVIS_WORDPRESS_URL is right and that application passwords are available in WordPress';
      log.warn({ err }, message);
      until = clock.monotonic() + MINUTE_MS;
    } finally {
      underway = undefined;
    }
  }
  return async () => {
    if (clock.monotonic() >= until) underway ??= refresh();
    await underway;
    return url;
  };
}

const toAuthorizationUrl = (restRoot: string): string =>
  `${restRoot.replace(/(?:\/index\.php)?\/[^/]*$/, '')}/wp-admin/authorize-application.php`;
