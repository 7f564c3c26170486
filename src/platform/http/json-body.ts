import { isUtf8 } from 'node:buffer';
import type { Routes } from './error-format.ts';
import { HttpError } from './errors.ts';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;

export const isJsonType = (contentType: string | undefined): boolean =>
  JSON_TYPE.test(contentType ?? '');

/**
 * Accepts uncompressed JSON bodies only.
 * @param empty stands for an empty body, which is refused otherwise
 */
export function acceptJsonOnly(app: Routes, empty?: object): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') done(new HttpError(415));
    else if (empty && bytes.length === 0) done(null, empty);
    else if (!isUtf8(bytes)) done(new HttpError(400));
    else parse(request, bytes.toString(), done);
  });
}
