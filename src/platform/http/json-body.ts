import type { Routes } from './scope.ts';

/** Thrown as Fastify throws its own, so that the one error handler shapes it. */
class UnsupportedEncoding extends Error {
  readonly statusCode = 415;
}

/** Reads bodies of JSON and refuses every other kind, compressed ones included: no parser, no bomb. */
export function acceptJsonOnly(app: Routes): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i,
    { parseAs: 'string' },
    (request, body, done) => {
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity')
        done(new UnsupportedEncoding('compressed body'));
      else parse(request, body as string, done);
    },
  );
}
