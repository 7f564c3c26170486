import { parseFields, pickFields } from './fields.ts';
import type { Params } from './params.ts';
import type { RawResponse, RequestHead } from './raw-request.ts';
import { getMethodOverride } from './request-method.ts';
import type { RestResponse } from './route.ts';

export const ENVELOPE = '_envelope';
export const JSON_TYPE = 'application/json; charset=UTF-8';

export const EXPORT_FORMATS = ['csv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** @param name of the file, without its extension */
export const toExportResponse = (
  name: string,
  format: ExportFormat,
  chunks: AsyncIterable<string>,
): RestResponse => ({
  stream: { contentType: format === 'csv' ? 'text/csv; charset=UTF-8' : JSON_TYPE, chunks },
  headers: { 'content-disposition': `attachment; filename="${name}.${format}"` },
});

/** The response of a route, or an error. */
export interface Outcome extends RestResponse {
  status: number;
  headers: Record<string, string>;
  allowedOrigin: string | undefined;
  nonce: string | undefined;
  fault?: unknown;
}

/** Applies `_fields`, `_envelope` and an overridden HEAD; the server handles HEAD itself. */
export function toRawResponse(outcome: Outcome, request: RequestHead, query: Params): RawResponse {
  const { chunks, ...response } = format(outcome, query);
  if (getMethodOverride(request, query) === 'HEAD') return { ...response, text: '' };
  return chunks ? { ...response, chunks } : response;
}

function format(outcome: Outcome, query: Params): RawResponse {
  const { status, headers, raw, stream, fault, nonce, allowedOrigin } = outcome;
  const rest = { fault, nonce, allowedOrigin };
  if (stream) return { status, text: '', headers, ...stream, ...rest };
  const body = raw ? raw.text.toString() : selectFields(outcome, query);
  if (ENVELOPE in query) {
    const named = nameHeaders(headers);
    // In PHP, an empty array is no object.
    const sent = Object.keys(named).length > 0 ? named : [];
    const text = JSON.stringify({ body: body ?? null, status, headers: sent });
    return { status: 200, text, contentType: JSON_TYPE, headers: {}, ...rest };
  }
  const json = body === outcome.body ? outcome.json : undefined;
  const text = raw?.text ?? json ?? (body === undefined ? '' : JSON.stringify(body));
  return { status, text, contentType: raw?.contentType ?? JSON_TYPE, headers, ...rest };
}

/** The spelling of WordPress. In an envelope, names are case-sensitive: `X-WP-Total`. */
function nameHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => {
    const spelled = name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
    return [spelled.replace(/^X-Wp-/, 'X-WP-').replace(/pages$/, 'Pages'), value];
  });
  return Object.fromEntries(entries);
}

function selectFields({ status, body }: Outcome, { _fields }: Params): unknown {
  const names = status < 400 ? parseFields(_fields) : [];
  return names.length > 0 ? pickFields(body, names) : body;
}
