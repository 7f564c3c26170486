import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../platform/errors.ts';
import { matchesIfNoneMatch } from '../platform/http/entity-tags.ts';
import { PROJECT_ROOT } from '../platform/project-root.ts';

/** Options of routes that serve assets. */
export const ASSET_ROUTE = { schema: { hide: true }, config: { quiet: true } };

type Encoding = 'br' | 'gzip' | 'identity';

const [brotliAsync, gzipAsync] = [promisify(brotliCompress), promisify(gzip)];
/** The best quality takes a second for the largest files of the console. */
const BEST_QUALITY_MAX_BYTES = 65_536;

const compress = {
  br: (bytes: Buffer) => {
    const quality = bytes.length > BEST_QUALITY_MAX_BYTES ? 6 : constants.BROTLI_MAX_QUALITY;
    return brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  },
  gzip: (bytes: Buffer) => gzipAsync(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** @throws DomainError `service_unavailable` while there is no build */
export function readBuild<T>(path: string, read: (path: string) => T): T {
  try {
    return read(join(PROJECT_ROOT, 'web/dist', path));
  } catch {
    throw new DomainError(
      'unavailable',
      'service_unavailable',
      'This page is not built. Stop the server, run "npm run prestart" and start the server again.',
    );
  }
}

export const readBuiltFile = (path: string): Buffer =>
  readBuild(path, (file) => readFileSync(file));

/** A file in memory, sent with an ETag in the best encoding that the client accepts. */
export class Asset {
  readonly bytes: Buffer;
  readonly #headers: Record<string, string>;
  readonly #isCompressed: boolean;
  readonly #hash: string;
  readonly #bodies: Partial<Record<Encoding, Promise<Buffer>>> = {};

  constructor(bytes: Buffer, headers: Record<string, string>, isCompressed = false) {
    this.bytes = bytes;
    this.#headers = isCompressed
      ? headers
      : { ...headers, vary: [headers.vary, 'Accept-Encoding'].filter(Boolean).join(', ') };
    this.#isCompressed = isCompressed;
    this.#hash = createHash('sha256').update(bytes).digest('base64url');
  }

  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const encoding = this.#isCompressed ? 'identity' : negotiateEncoding(headers);
    const etag = `"${this.#hash}-${encoding}"`;
    reply.headers({ ...this.#headers, etag });
    if (matchesIfNoneMatch(headers['if-none-match'], etag)) return reply.code(304).send();
    if (encoding === 'identity') return reply.send(this.bytes);
    this.#bodies[encoding] ??= compress[encoding](this.bytes);
    return reply.header('content-encoding', encoding).send(await this.#bodies[encoding]);
  }
}

/** The smallest encoding that the client accepts (RFC 9110 §12.5.3). */
function negotiateEncoding({ 'accept-encoding': accepted = '' }: IncomingHttpHeaders): Encoding {
  const listed = [accepted].flat().join().split(',');
  return (['br', 'gzip'] as const).find((name) => accepts(listed, name)) ?? 'identity';
}

function accepts(listed: string[], encoding: string): boolean {
  const part = listed.find((each) => each.trim().split(';')[0]?.trim() === encoding);
  return part !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(part);
}
