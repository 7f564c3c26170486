import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ContentEncoding, negotiateEncoding } from '../platform/http/encoding.ts';
import { readKnownTags } from '../platform/http/entity-tags.ts';
import type { Routes } from '../platform/http/error-format.ts';
import { HttpError } from '../platform/http/errors.ts';
import { PROJECT_ROOT } from '../platform/project-root.ts';

const BUILT = join(PROJECT_ROOT, 'web/dist/console/');
const PREFIX = '/admin/';
/** What the build has hashed names for: it never changes under one. */
const ASSETS = 'assets/';
const PAGE = 'index.html';
/** Where the page has places for the addresses of the interfaces (web/console/index.html). */
const PLACES = { rest: '/wp-json#rest-root', licence: '/v1#licence-root' } as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** In the page, where the nonce of its styles goes. */
const STYLE_NONCE = '#style-nonce';
/** Nothing from elsewhere, and nothing that is written into the page but styles that have its nonce. */
const policyWith = (nonce: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const HEADERS = {
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

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
export function serveConsole(app: Routes, prefixes: { rest: string; licence: string }): void {
  const options = { schema: { hide: true }, config: { quiet: true } };
  let built: ReadonlyMap<string, BuiltFile> | undefined;

  app.get('/admin', options, (_request, reply) => reply.redirect(PREFIX, 301));
  app.get(`${PREFIX}*`, options, async (request, reply) => {
    built ??= readBuilt(prefixes);
    const path = (request.url.split('?', 1)[0] ?? '').slice(PREFIX.length);
    const isAsset = path.startsWith(ASSETS);
    const file = path === PAGE ? undefined : built.get(path);
    if (file) return send(file, isAsset, request, reply);
    const page = built.get(PAGE);
    if (isAsset || !page) return reply.callNotFound();
    return sendPage(page, reply);
  });
}

/** @throws HttpError 503 while there is no build */
function readBuilt(prefixes: { rest: string; licence: string }): Map<string, BuiltFile> {
  let entries: string[];
  try {
    entries = readdirSync(BUILT, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(BUILT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  } catch {
    throw new HttpError(503);
  }
  const files = new Map<string, BuiltFile>();
  for (const path of entries) {
    const type = TYPES[extname(path)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(BUILT, path));
    const body = path === PAGE ? Buffer.from(filled(bytes.toString(), prefixes)) : bytes;
    const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    files.set(path, { type, etag, bodies: { identity: Promise.resolve(body) } });
  }
  return files;
}

/** The page with the addresses in it: they are paths of URLs, which hold no quotes. */
const filled = (page: string, { rest, licence }: { rest: string; licence: string }): string =>
  page.replace(PLACES.rest, () => rest).replace(PLACES.licence, () => licence);

/** Each time with a nonce of its own, so it is never kept. */
async function sendPage({ type, bodies }: BuiltFile, reply: FastifyReply): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64');
  reply.headers({
    'cache-control': 'no-store',
    'content-type': type,
    'content-security-policy': policyWith(nonce),
    ...HEADERS,
  });
  const page = String(await bodies.identity);
  return reply.send(page.replace(STYLE_NONCE, () => nonce));
}

async function send(
  file: BuiltFile,
  isAsset: boolean,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const encoding = negotiateEncoding(headers);
  const etag = `"${file.etag}-${encoding}"`;
  reply.headers({
    etag,
    'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'Accept-Encoding',
    'content-type': file.type,
    ...HEADERS,
  });
  if (readKnownTags(headers['if-none-match']).includes(etag)) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(await bodyIn(file, encoding));
}

async function bodyIn({ bodies }: BuiltFile, encoding: ContentEncoding): Promise<Buffer> {
  const identity = (await bodies.identity) ?? Buffer.alloc(0);
  if (encoding === 'identity') return identity;
  bodies[encoding] ??= compress[encoding](identity);
  return bodies[encoding];
}
