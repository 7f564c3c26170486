import { isUtf8 } from 'node:buffer';
import { invalidJson } from './errors.ts';
import { parsePhpVariables } from './php-variables.ts';

export type Params = Record<string, unknown>;

/** Core's `wp_is_json_media_type`: also within a list, as proxies and old clients send it. */
const JSON_TYPE = /(?:^|[\s,])application\/(?:[\w!#$&^.+-]+\+)?json(?:$|[\s,])/i;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';

/** The parameters in the query of a URL, as PHP reads them. */
export function queryParams(target: string): Params {
  const at = target.indexOf('?');
  return at < 0 ? {} : parsePhpVariables(decode(target.slice(at).replace(/#.*$/, '')));
}

/** The pairs of a query or form. Bytes that are no UTF-8 are left out, as by core's `wpdb`. */
function* decode(text: string): Generator<[string, string]> {
  for (const [name, value] of new URLSearchParams(text))
    yield [name.replaceAll('\ufffd', ''), value.replaceAll('\ufffd', '')];
}

const typeOf = (contentType = ''): string =>
  (contentType.split(';', 1)[0] as string).trim().toLowerCase();

/** Whether a body is a form, as browsers send it. */
export const isForm = (contentType: string | undefined): boolean =>
  [FORM_TYPE, MULTIPART_TYPE].includes(typeOf(contentType));

/**
 * The parameters of a body, by its type: JSON, form or multipart; a body of any other type has none.
 * JSON that is no object has none either.
 * @throws RestError 400 `rest_invalid_json`
 */
export async function bodyParams(body: Buffer, contentType: string | undefined): Promise<Params> {
  if (body.length === 0) return {};
  // What nearly every body is.
  if (contentType === 'application/json') return jsonParams(body);
  const type = typeOf(contentType);
  if (JSON_TYPE.test(type)) return jsonParams(body);
  if (type === FORM_TYPE) return parsePhpVariables(decode(body.toString()));
  if (type === MULTIPART_TYPE) {
    try {
      const headers = { 'content-type': contentType as string };
      return parsePhpVariables(await new Response(new Uint8Array(body), { headers }).formData());
    } catch {
      return {};
    }
  }
  return {};
}

function jsonParams(body: Buffer): Params {
  let parsed: unknown;
  try {
    if (!isUtf8(body)) throw new SyntaxError('not UTF-8');
    parsed = JSON.parse(body.toString());
  } catch {
    throw invalidJson();
  }
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? (parsed as Params) : {};
}
