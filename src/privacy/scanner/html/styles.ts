import type { LoadObservation } from '../observation.ts';
import { toWebUrl } from './document.ts';

type StyleLoad = Pick<LoadObservation, 'kind' | 'url' | 'method'>;

const MAX_STYLES = 500_000;
const REFERENCE =
  /(@import\s+(?:url\(\s*)?|url\(\s*)["']?((?:https?:)?\/\/[^"'()\s;]{3,2048})|(@import\s+(?:url\(\s*)?)["']?([^"'()\s;]{1,2048})/gi;
const FONT = /\.(woff2?|ttf|otf|eot)$/i;

/** URLs that style rules load. Only `@import` is read with relative URLs; others are first-party. */
export function findLoadsInStyles(styles: string, baseUrl: string): StyleLoad[] {
  return Array.from(styles.slice(0, MAX_STYLES).matchAll(REFERENCE), (match) => {
    const url = toWebUrl(match[2] ?? match[4], baseUrl);
    const isImport = /^@import/i.test(match[0]);
    return url ? { kind: kindOf(url, isImport), url, method: 'GET' } : undefined;
  }).filter((load) => load !== undefined);
}

function kindOf(url: string, isImport: boolean): StyleLoad['kind'] {
  if (isImport) return 'style';
  return FONT.test(new URL(url).pathname) ? 'font' : 'image';
}
