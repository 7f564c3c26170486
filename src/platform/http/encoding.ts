import type { IncomingHttpHeaders } from 'node:http';

export type ContentEncoding = 'br' | 'gzip' | 'identity';

/** The smallest encoding that the caller takes. */
export function negotiateEncoding({
  'accept-encoding': accepted = '',
}: IncomingHttpHeaders): ContentEncoding {
  const named = [accepted].flat().join();
  return (['br', 'gzip'] as const).find((name) => accepts(named, name)) ?? 'identity';
}

/** Whether an encoding is named, and not with the weight nothing (RFC 9110, 12.5.3). */
function accepts(header: string, encoding: string): boolean {
  const part = header.split(',').find((each) => each.trim().split(';')[0]?.trim() === encoding);
  return part !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(part);
}
