import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ContentEncoding, encodingFor } from '../platform/http/encoding.ts';
import { HttpRefusal } from '../platform/http/errors.ts';
import type { Routes } from '../platform/http/scope.ts';

const BUILT = fileURLToPath(new URL('../../web/dist/admin/', import.meta.url));
const PREFIX = '/admin/';
/** What the build has hashed names for: it never changes under one. */
const ASSETS = 'assets/';
/** Where the page has places for the addresses of the interfaces (web/admin/index.html). */
const PLACES = { rest: '/wp-json#rest-root', licence: '/v1#licence-root' } as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Nothing from elsewhere, and no script that is written into the page; the kit writes styles there. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const compress = {
  br: promisify((bytes: Buffer, done: (error: Error | null, result: Buffer) => void) =>
    brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }, done),
  ),
  gzip: promisify<Buffer, Buffer>(gzip),
};

interface BuiltFile {
  type: string;
  etag: string;
  /** By encoding, made when it is first asked for. */
  bodies: Partial<Record<ContentEncoding, Promise<Buffer>>>;
}

/**
 * The console, a page that finds its way by its address: what is no file of it is the page.
 * @param prefixes the paths at which this process has the interfaces
 */
export function serveAdmin(app: Routes, prefixes: { rest: string; licence: string }): void {
  const options = { schema: { hide: true }, config: { quiet: true } };
  let built: ReadonlyMap<string, BuiltFile> | undefined;

  app.get('/admin', options, (_request, reply) => reply.redirect(PREFIX, 301));
  app.get(`${PREFIX}*`, options, async (request, reply) => {
    built ??= readBuilt(prefixes);
    const path = (request.url.split('?', 1)[0] ?? '').slice(PREFIX.length);
    const isAsset = path.startsWith(ASSETS);
    const file = built.get(path) ?? (isAsset ? undefined : built.get('index.html'));
    if (!file) return reply.callNotFound();
    return send(file, isAsset, request, reply);
  });
}

/** @throws HttpRefusal 503 while there is no build */
function readBuilt(prefixes: { rest: string; licence: string }): Map<string, BuiltFile> {
  let entries: string[];
  try {
    entries = readdirSync(BUILT, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(BUILT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  } catch {
    throw new HttpRefusal(503);
  }
  const files = new Map<string, BuiltFile>();
  for (const path of entries) {
    const type = TYPES[extname(path)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(BUILT, path));
    const body = path === 'index.html' ? Buffer.from(filled(bytes.toString(), prefixes)) : bytes;
    const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    files.set(path, { type, etag, bodies: { identity: Promise.resolve(body) } });
  }
  return files;
}

/** The page with the addresses in it: they are paths of URLs, which hold no quotes. */
const filled = (page: string, { rest, licence }: { rest: string; licence: string }): string =>
  page.replace(PLACES.rest, () => rest).replace(PLACES.licence, () => licence);

async function send(
  file: BuiltFile,
  isAsset: boolean,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const encoding = encodingFor(headers);
  const etag = `"${file.etag}-${encoding}"`;
  reply.headers({
    etag,
    'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'Accept-Encoding',
    'content-type': file.type,
    'content-security-policy': POLICY,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
  const known = headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, ''));
  if (known?.includes(etag)) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(await bodyIn(file, encoding));
}

async function bodyIn({ bodies }: BuiltFile, encoding: ContentEncoding): Promise<Buffer> {
  const identity = (await bodies.identity) ?? Buffer.alloc(0);
  if (encoding === 'identity') return identity;
  bodies[encoding] ??= compress[encoding](identity);
  return bodies[encoding];
}
