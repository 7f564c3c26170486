import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { Routes } from '../platform/http/error-format.ts';
import { ASSET_ROUTE, Asset, readBuild } from './asset.ts';

const PREFIX = '/admin/';
/** The build gives these files hashed names, so their content never changes. */
const IMMUTABLE = 'assets/';
const PAGE = 'index.html';
/** The placeholders of web/console/index.html. */
const PLACEHOLDERS = { rest: '/wp-json#rest-root', licence: '/v1#licence-root' } as const;
const STYLE_NONCE = '#style-nonce';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const HEADERS = {
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/**
 * Only own files; inline styles need the nonce.
 * @param origins those of the site, whose logo the preview of the banner shows
 */
const createPolicy = (nonce: string, origins: readonly string[]): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src ${["'self'", 'data:', ...origins].join(' ')}; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/**
 * The console, a single-page application: paths that are no file are the page.
 * @param roots the path of the plugin API, and the path or public URL of the Licence API
 * @param listOrigins the origins of the site
 */
export function serveConsole(
  app: Routes,
  roots: { rest: string; licence: string },
  listOrigins: () => readonly string[],
): void {
  let files: ReadonlyMap<string, Asset> | undefined;
  app.get('/admin', ASSET_ROUTE, (_request, reply) => reply.redirect(PREFIX, 301));
  app.get(`${PREFIX}*`, ASSET_ROUTE, async (request, reply) => {
    files ??= readBuild('console', readFiles);
    const path = (request.url.split('?', 1)[0] ?? '').slice(PREFIX.length);
    const file = path === PAGE ? undefined : files.get(path);
    if (file) return file.send(request, reply);
    const page = files.get(PAGE);
    if (path.startsWith(IMMUTABLE) || !page) return reply.callNotFound();
    const document = fillPage(page.bytes.toString(), { ...roots, origins: listOrigins() });
    return document.send(request, reply);
  });
}

function readFiles(folder: string): Map<string, Asset> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, Asset>();
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file).replaceAll('\\', '/');
    const caching = path.startsWith(IMMUTABLE) ? 'public, max-age=31536000, immutable' : 'no-cache';
    files.set(
      path,
      new Asset(readFileSync(file), { 'cache-control': caching, 'content-type': type, ...HEADERS }),
    );
  }
  return files;
}

/** Sent with a new nonce each time, so it is not cached. The roots are URLs or their paths, which contain no quotes. */
function fillPage(
  page: string,
  { rest, licence, origins }: { rest: string; licence: string; origins: readonly string[] },
): Asset {
  const nonce = randomBytes(16).toString('base64');
  const document = page
    .replace(PLACEHOLDERS.rest, () => rest)
    .replace(PLACEHOLDERS.licence, () => licence)
    .replace(STYLE_NONCE, () => nonce);
  return new Asset(Buffer.from(document), {
    'cache-control': 'no-store',
    'content-type': String(TYPES['.html']),
    'content-security-policy': createPolicy(nonce, origins),
    ...HEADERS,
  });
}
