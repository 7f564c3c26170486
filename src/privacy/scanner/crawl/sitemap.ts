import { createGunzip } from 'node:zlib';

/** The maximum size of a decompressed file. The protocol allows ten times as much. */
export const MAX_SITEMAP_BYTES = 5_000_000;
const MAX_LOCATIONS = 10_000;
/** Without images (`image:loc`). Bounded to prevent backtracking. */
const LOCATION = /<(?!image:)(?:\w{1,20}:)?loc>\s{0,100}(?:<!\[CDATA\[)?([^<]{1,4096})/gi;
/** Other languages of a page (`xhtml:link`). */
const ALTERNATE = /<(?:\w{1,20}:)?link\s([^<>]{1,4096})>/gi;
const HREF = /\shref\s{0,10}=\s{0,10}["']([^"']{1,4096})["']/i;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const MAX_CODE_POINT = 0x10ffff;

export interface Sitemap {
  /** Locations are of other sitemaps. */
  isIndex: boolean;
  locations: string[];
  /** It has more than is read. */
  isCut: boolean;
}

/**
 * Reads a sitemap or sitemap index (sitemaps.org), also gzipped. It is searched, not parsed, so that no entity is
 * expanded.
 */
export async function readSitemap(body: Buffer): Promise<Sitemap> {
  const bytes = await plain(body);
  const xml = bytes.toString();
  const locations: string[] = [];
  let isCut = bytes.length >= MAX_SITEMAP_BYTES;
  for (const { 0: text, 1: location = '', index } of xml.matchAll(LOCATION)) {
    // The file may be cut within a location.
    if (xml[index + text.length] !== '<') continue;
    if (locations.length === MAX_LOCATIONS) {
      isCut = true;
      break;
    }
    locations.push(decoded(location.trim().replace(/\s*\]\]>$/, '')));
  }
  for (const [, attributes = ''] of xml.matchAll(ALTERNATE)) {
    if (locations.length >= 2 * MAX_LOCATIONS) {
      isCut = true;
      break;
    }
    const href = /\shreflang\s{0,10}=/i.test(` ${attributes}`) && HREF.exec(` ${attributes}`)?.[1];
    if (href) locations.push(decoded(href.trim()));
  }
  return { isIndex: /<(?:\w{1,20}:)?sitemapindex[\s>]/i.test(xml), locations, isCut };
}

/** WordPress writes `&` as `&#038;`. */
const decoded = (text: string): string =>
  text.replace(
    /&(?:#(?:x([\da-f]{1,6})|(\d{1,7}))|(\w+));/gi,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= MAX_CODE_POINT ? String.fromCodePoint(code) : all;
    },
  );

/** Decompressed up to the maximum size, or to where the file is damaged. */
async function plain(body: Buffer): Promise<Buffer> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  const unzip = createGunzip();
  unzip.end(body);
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of unzip) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MAX_SITEMAP_BYTES) break;
    }
  } catch {}
  return Buffer.concat(parts).subarray(0, MAX_SITEMAP_BYTES);
}
