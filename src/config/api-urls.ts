import { type Environment, httpUrl, list, refuse } from './values.ts';

const SERVICES = ['licence', 'plugin'] as const;
/** Paths of every process. */
const SERVED = ['/console', '/docs', '/livez', '/metrics', '/readyz', '/wp-admin'];
const SERVED_WITH = { licence: ['/account'], plugin: ['/admin', '/privacy'] } as const;

export const services = (env: Environment) => list(env, 'PAVIS_SERVICES', SERVICES);

/**
 * The root of an API, whose path is the prefix of its routes. The router decodes other characters or gives them a meaning.
 */
export function apiUrl(env: Environment, name: string): string | undefined {
  const url = httpUrl(env, name);
  if (url !== undefined && !/^https?:\/\/[^/]+(?:\/[\w.~-]+)*$/.test(url)) {
    refuse(
      name,
      `is "${url}"`,
      'between the slashes of its path, letters, digits and the characters -._~ are allowed, for example https://example.com/path',
    );
  }
  const path = url === undefined ? '' : new URL(url).pathname;
  if (/\/index\.php(?:\/|$)/.test(path))
    refuse(name, `is "${url}"`, `leave out /index.php: ${url?.replace('/index.php', '')}`);
  if ([...SERVED, ...services(env).flatMap((service) => SERVED_WITH[service])].includes(path)) {
    const allowed = 'set another path, for example https://example.com/path';
    refuse(name, `is "${url}"`, `Pavis serves something else at ${path}: ${allowed}`);
  }
  return url;
}

/** Without a path, the plugin API would be where the pages are. */
export function restRoot(env: Environment): string | undefined {
  const name = 'PAVIS_REST_ROOT';
  const url = apiUrl(env, name);
  if (url !== undefined && new URL(url).pathname === '/')
    refuse(
      name,
      `is "${url}"`,
      'a URL with a path is needed, for example https://example.com/wp-json',
    );
  return url;
}
