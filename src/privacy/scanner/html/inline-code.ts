import type { LoadObservation } from '../observation.ts';
import { toWebUrl } from './document.ts';

type Load = Pick<LoadObservation, 'kind' | 'url' | 'method' | 'via' | 'incomplete'>;
type Made = Omit<Load, 'url' | 'incomplete'>;

/** Characters of a script that are read. */
const MAX_CODE = 500_000;
const MAX_LOADS = 200;

/** A literal that begins like an address, with a little of what stands before and after it. */
const LITERAL = /(["'`])((?:https?:|wss?:)?\/\/[^"'`\s<>\\]{3,2048})\1?/gi;
const BEFORE = 80;

const CALLS: readonly [before: RegExp, made: Made][] = [
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
export function findLoadsInCode(code: string, baseUrl: string): Load[] {
  const text = code.slice(0, MAX_CODE).replaceAll('\\/', '/');
  const makesElements = /createElement|insertBefore|appendChild/.test(text);
  const loads: Load[] = [];
  for (const match of text.matchAll(LITERAL)) {
    const literal = wholePartOf(match, text);
    const url = literal && toWebUrl(literal.address, baseUrl);
    if (!url) continue;
    const { isCut } = literal;
    const before = text.slice(Math.max(0, match.index - BEFORE), match.index);
    const made =
      CALLS.find(([pattern]) => pattern.test(before))?.[1] ??
      (SET_AS_SOURCE.test(before) && assigned(text, match.index, url)) ??
      false;
    const found = isCut ? { url: folderOf(url), incomplete: true as const } : { url };
    if (made) loads.push({ ...made, ...found });
    else if (
      isScriptFile(url) ||
      (makesElements && HANDED_OVER.test(before) && !ATTRIBUTE.test(before))
    ) {
      loads.push({ kind: 'script', method: 'GET', ...found });
    }
    if (loads.length === MAX_LOADS) break;
  }
  return loads;
}

/**
 * As much of an address as stands in one literal. Scripts put the rest behind it: `'https://cdn.' + x`,
 * `\`https://a.example/${x}\``, `('https://a.example/tag-', '.js')`.
 * @returns undefined when not even the host is whole
 */
function wholePartOf(
  match: RegExpExecArray,
  text: string,
): { address: string; isCut: boolean } | undefined {
  const [all, quote = '', literal = ''] = match;
  const hole = quote === '`' ? literal.indexOf('${') : -1;
  const address = hole < 0 ? literal : literal.slice(0, hole);
  const isClosed = all.length > quote.length + literal.length;
  const behind = text.slice(match.index + all.length, match.index + all.length + 20);
  const isJoined = hole >= 0 || !isClosed || /^\s*(\+|\.concat\()/.test(behind);
  const hasWholeHost = /^(\w+:)?\/\/[^/?#]+[/?#]/.test(address);
  if (isJoined && !hasWholeHost) return undefined;
  // Values of a query are not kept anyway.
  return { address, isCut: !address.includes('?') && (isJoined || /[-_.=]$/.test(address)) };
}

const folderOf = (url: string): string => url.slice(0, url.lastIndexOf('/') + 1);

const isScriptFile = (url: string): boolean => /\.m?js$/.test(new URL(url).pathname);

/** Which element's source it is: the one that was made last before. */
function assigned(text: string, index: number, url: string): Made {
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
