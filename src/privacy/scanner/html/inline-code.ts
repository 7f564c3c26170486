import type { LoadObservation } from '../observation.ts';
import { toWebUrl } from './document.ts';

type Load = Pick<LoadObservation, 'kind' | 'url' | 'method' | 'via' | 'incomplete'>;
type Made = Omit<Load, 'url' | 'incomplete'>;

/** In characters. */
const MAX_CODE = 500_000;
const MAX_LOADS = 200;

/** A literal that begins like a URL. */
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
/**
 * For example `(window, document, 'script', 'https://…')`, the usual form of snippets, or `loadScript('https://…')`.
 */
const HANDED_OVER = /(,|\b\w*(script|load|inject)\w*\s*\()\s*$/i;
const ATTRIBUTE = /\.setAttribute(NS)?\s*\([^)]*$/;

/** Lists URLs in a script that it may load. */
export function findLoadsInCode(code: string, baseUrl: string): Load[] {
  const text = code.slice(0, MAX_CODE).replaceAll('\\/', '/');
  const makesElements = /createElement|insertBefore|appendChild/.test(text);
  const loads: Load[] = [];
  for (const match of text.matchAll(LITERAL)) {
    const literal = findWholePart(match, text);
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
 * The part of a URL that is in one literal. Scripts append the rest: `'https://cdn.' + x`,
 * `\`https://a.example/${x}\``, `('https://a.example/tag-', '.js')`.
 * @returns undefined if the host is incomplete
 */
function findWholePart(
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
  // Query values are dropped anyway.
  return { address, isCut: !address.includes('?') && (isJoined || /[-_.=]$/.test(address)) };
}

const folderOf = (url: string): string => url.slice(0, url.lastIndexOf('/') + 1);

const isScriptFile = (url: string): boolean => /\.m?js$/.test(new URL(url).pathname);

/** The source of the element that was created last. */
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
