import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readKnownTags } from '../platform/http/entity-tags.ts';
import type { Routes } from '../platform/http/error-format.ts';
import { HttpError } from '../platform/http/errors.ts';
import { PROJECT_ROOT } from '../platform/project-root.ts';

const BUILT = join(PROJECT_ROOT, 'web/dist/client/client.tgz');

/** `/client.tgz`: the client of both interfaces as a package, for `npm install` with this address. */
export function serveClientPackage(app: Routes): void {
  let built: { bytes: Buffer; etag: string } | undefined;
  const options = { schema: { hide: true }, config: { quiet: true } };
  app.get('/client.tgz', options, async ({ headers }, reply) => {
    built ??= readBuilt();
    reply.headers({
      etag: built.etag,
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'noindex',
      'content-type': 'application/gzip',
    });
    if (readKnownTags(headers['if-none-match']).includes(built.etag)) return reply.code(304).send();
    return reply.send(built.bytes);
  });
}

/** @throws HttpError 503 while there is no build */
function readBuilt(): { bytes: Buffer; etag: string } {
  try {
    const bytes = readFileSync(BUILT);
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
  } catch {
    throw new HttpError(503);
  }
}
