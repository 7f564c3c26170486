import { URL_MAX_LENGTH } from '../../../platform/http/limits.ts';

const WEB = new Set(['http:', 'https:', 'ws:', 'wss:']);
/** Other query strings may be data. */
const KEY = /^[A-Za-z_][\w.\-[\]]{0,63}$/;
/** Parameters with container or account IDs. */
const IDS = new Set(['id', 'tid']);
const ID = /^[\w.-]{1,64}$/;
const CONTAINER = /^(?:GTM|GT|G|AW|DC)-[A-Z0-9]{4,14}$|^UA-\d{4,10}-\d{1,4}$/;

/**
 * The form in which URLs are saved and compared: without user, fragment and query values, with sorted query names
 * and at most 2,048 characters. IDs of containers and accounts stay.
 * @returns undefined if it is no http(s) or ws(s) URL
 */
export function toPlainUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !WEB.has(url.protocol)) return undefined;
  // For example `;jsessionid=…` and `;ord=…`.
  url.pathname = url.pathname.replace(/;.*$/, '');
  let plain = `${url.protocol}//${url.host}`;
  for (const segment of url.pathname.split('/').slice(1)) {
    if (plain.length + 1 + segment.length > URL_MAX_LENGTH) return new URL(plain).href;
    plain += `/${segment}`;
  }
  let separator = '?';
  for (const parameter of listParameters(url)) {
    if (plain.length + 1 + parameter.length > URL_MAX_LENGTH) break;
    plain += separator + parameter;
    separator = '&';
  }
  return plain;
}

function listParameters({ searchParams }: URL): string[] {
  const parameters = new Set<string>();
  for (const [key, value] of searchParams) {
    if (!KEY.test(key)) continue;
    const stays = CONTAINER.test(value) || (IDS.has(key.toLowerCase()) && ID.test(value));
    parameters.add(stays ? `${key}=${value}` : key);
  }
  return [...parameters].sort();
}
