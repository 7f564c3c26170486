import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Routes } from './error-format.ts';
import { HttpError } from './errors.ts';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;

export const isJsonType = (contentType: string | undefined): boolean =>
  contentType === 'application/json' || JSON_TYPE.test(contentType ?? '');

/**
 * Accepts uncompressed JSON bodies only.
 * @param empty stands for an empty body of any type, which is refused otherwise
 */
export function acceptJsonOnly(app: Routes, empty?: object): void {
  // Fields that could reach the prototypes of objects are ignored, as other unknown fields.
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    const text = decodeBody(request, body as Buffer);
    if (text instanceof HttpError) done(text);
    else if (empty && text === '') done(null, { ...empty });
    else parse(request, text, done);
  });
  if (!empty) return;
  // The type of an empty body says nothing: that of `curl -d ''` is the one of a form.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, { ...empty });
    else done(new HttpError(415));
  });
}

/** The text of an uncompressed body in UTF-8, or 415 or 400. */
export function decodeBody({ headers }: FastifyRequest, body: Buffer): string | HttpError {
  if (!isIdentity(headers)) return new HttpError(415);
  return isUtf8(body) ? body.toString() : new HttpError(400);
}

export const isIdentity = ({ 'content-encoding': encoding }: IncomingHttpHeaders): boolean =>
  encoding === undefined || encoding === 'identity';
