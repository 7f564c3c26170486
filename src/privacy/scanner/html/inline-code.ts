import type { LoadObservation } from '../observation.ts';
import { webUrl } from './document.ts';

type Load = Pick<LoadObservation, 'kind' | 'url' | 'method' | 'via'>;

/** Characters of a script that are read. */
const MAX_CODE = 500_000;
const MAX_LOADS = 200;

/** A literal that begins like an address, with a little of what stands before and after it. */
const LITERAL = /(["'`])((?:https?:|wss?:)?\/\/[^"'`\s<>\\]{3,2048})\1?/gi;
const BEFORE = 80;

const CALLS: readonly [before: RegExp, made: Omit<Load, 'url'>][] = [
  [/\bfetch\s*\(\s*$/, { kind: 'request', method: 'GET', via: 'fetch' }],
  [/\bsendBeacon\s*\(\s*$/, { kind: 'request', method: 'POST', via: 'beacon' }],
  [/\.open\s*\(\s*["'`]\w+["'`]\s*,\s*$/, { kind: 'request', method: 'GET', via: 'xhr' }],
  [/\bnew\s+WebSocket\s*\(\s*$/, { kind: 'request', method: 'GET', via: 'websocket' }],
  [/\bnew\s+EventSource\s*\(\s*$/, { kind: 'request', method: 'GET', via: 'eventsource' }],
  [/\b(import|importScripts)\s*\(\s*$/, { kind: 'script', method: 'GET' }],
  [/\bnew\s+(Shared)?Worker\s*\(\s*$/, { kind: 'script', method: 'GET', via: 'worker' }],
  [/\bnew\s+Image\s*\([^)]*\)\s*\.src\s*=\s*$/, { kind: 'image', method: 'GET' }],
];
const SET_AS_SOURCE = /(\.src\s*=|setAttribute\s*\(\s*["'`]src["'`]\s*,)\s*$/;
/** As in `(window, document, 'script', 'https://…')`, the usual form of a vendor's snippet, or `loadScript('https://…')`. */
const HANDED_OVER = /(,|\b\w*(script|load|inject)\w*\s*\()\s*$/i;
const ATTRIBUTE = /\.setAttribute(NS)?\s*\([^)]*$/;

/**
 * What a script would load, as far as the address stands in its text. It may not come to it: the
 * code may be behind a condition.
 */
export function loadsInCode(code: string, baseUrl: string): Load[] {
  const text = code.slice(0, MAX_CODE).replaceAll('\\/', '/');
  const makesElements = /createElement|insertBefore|appendChild/.test(text);
  const loads: Load[] = [];
  for (const match of text.matchAll(LITERAL)) {
    const url = webUrl(match[2], baseUrl);
    if (!url) continue;
    const before = text.slice(Math.max(0, match.index - BEFORE), match.index);
    const made =
      CALLS.find(([pattern]) => pattern.test(before))?.[1] ??
      (SET_AS_SOURCE.test(before) && assigned(text, match.index, url)) ??
      false;
    if (made) loads.push({ ...made, url });
    else if (
      isScriptFile(url) ||
      (makesElements && HANDED_OVER.test(before) && !ATTRIBUTE.test(before))
    ) {
      loads.push({ kind: 'script', method: 'GET', url });
    }
    if (loads.length === MAX_LOADS) break;
  }
  return loads;
}

const isScriptFile = (url: string): boolean => /\.m?js$/.test(new URL(url).pathname);

/** Which element's source it is: the one that was made last before. */
function assigned(text: string, index: number, url: string): Omit<Load, 'url'> {
  const earlier = text.slice(Math.max(0, index - 1_000), index);
  const last = Array.from(
    earlier.matchAll(/createElement\s*\(\s*["'`](\w+)["'`]|new\s+(Image)\b/g),
  ).at(-1);
  const element = (last?.[1] ?? last?.[2] ?? '').toLowerCase();
  if (!isScriptFile(url)) {
    if (element === 'iframe') return { kind: 'frame', method: 'GET' };
    if (element === 'img' || element === 'image') return { kind: 'image', method: 'GET' };
  }
  return { kind: 'script', method: 'GET' };
}
