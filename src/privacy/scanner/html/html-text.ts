import type { Fetched } from '../net/guarded-fetch.ts';

/** HTML standard, "prescan a byte stream". */
const PRESCAN_BYTES = 1_024;

/** Whether a response is HTML. Without a content type, the first character decides. */
export function isHtml({ headers, body }: Pick<Fetched, 'headers' | 'body'>): boolean {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/html' || type === 'application/xhtml+xml') return true;
  return type === '' && /^(\ufeff|\s)*</.test(body.subarray(0, PRESCAN_BYTES).toString());
}

/** Decodes with the encoding of the header or markup, by default UTF-8. */
export function decodeHtml({ headers, body }: Pick<Fetched, 'headers' | 'body'>): string {
  const start = body.subarray(0, PRESCAN_BYTES).toString('latin1');
  const label =
    /charset\s*=\s*["']?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1] ??
    'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
