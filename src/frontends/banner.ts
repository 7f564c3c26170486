import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ContentEncoding, negotiateEncoding } from '../platform/http/encoding.ts';
import { readKnownTags } from '../platform/http/entity-tags.ts';
import type { Routes } from '../platform/http/error-format.ts';
import { HttpError } from '../platform/http/errors.ts';
import { PROJECT_ROOT } from '../platform/project-root.ts';

const BUILT = join(PROJECT_ROOT, 'web/dist/banner');
const FILES = ['banner.js', 'banner.esm.js', 'banner.headless.js'];
/** Where the banner has the place for the REST root (web/banner/rest-root.ts). */
const REST_ROOT = '/wp-json#rest-root';

const options = { schema: { hide: true }, config: { quiet: true } };

/** The bytes of one file in the encodings in which it is sent. */
interface Encoded {
  etag: string;
  bodies: Record<ContentEncoding, Buffer>;
}

/**
 * The banner for sites to load, and the resource that states support of Global Privacy Control.
 * @param restRoot what the banner asks: a URL, or a path where it came from
 */
export function serveBanner(app: Routes, restRoot: string): void {
  const encoded = new Map<string, Encoded>();
  for (const file of FILES) {
    app.get(`/${file}`, options, async (request, reply) => {
      const script = encoded.get(file) ?? encode(file, restRoot);
      encoded.set(file, script);
      return send(script, request, reply);
    });
  }
  // https://www.w3.org/TR/gpc/#gpc-support-resource
  app.get('/.well-known/gpc.json', options, async (_request, reply) => {
    reply.headers({ 'cache-control': 'public, max-age=86400', 'access-control-allow-origin': '*' });
    return { gpc: true, lastUpdate: '2026-11-21' };
  });
}

/** @throws HttpError 503 while there is no build */
function encode(file: string, restRoot: string): Encoded {
  let text: string;
  try {
    text = readFileSync(join(BUILT, file), 'utf8');
  } catch {
    throw new HttpError(503);
  }
  // The one sign that would end a text in code, and that a URL may hold as it is.
  const address = restRoot.replaceAll("'", '%27');
  const identity = Buffer.from(text.replace(REST_ROOT, () => address));
  return {
    etag: createHash('sha256').update(identity).digest('base64url'),
    bodies: { br: brotliCompressSync(identity), gzip: gzipSync(identity, { level: 9 }), identity },
  };
}

function send({ etag, bodies }: Encoded, { headers }: FastifyRequest, reply: FastifyReply) {
  const encoding = negotiateEncoding(headers);
  const tag = `"${etag}-${encoding}"`;
  reply.headers({
    etag: tag,
    'cache-control': 'public, max-age=300, stale-while-revalidate=3600',
    vary: 'Accept-Encoding',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-type': 'text/javascript; charset=utf-8',
  });
  if (readKnownTags(headers['if-none-match']).includes(tag)) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(bodies[encoding]);
}
