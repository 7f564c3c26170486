import { isUtf8 } from 'node:buffer';
import { isJsonType } from '../http/json-body.ts';
import { invalidJson } from './errors.ts';
import { parsePhpVariables } from './php-variables.ts';

export type Params = Record<string, unknown>;

/** The parameters in the query of a URL, as PHP reads them. */
export function queryParams(target: string): Params {
  const at = target.indexOf('?');
  return at < 0 ? {} : parsePhpVariables(new URLSearchParams(target.slice(at).replace(/#.*$/, '')));
}

/**
 * The parameters of a body, by its type: JSON, form or multipart; a body of any other type has none.
 * JSON that is no object has none either.
 * @throws RestError 400 `rest_invalid_json`
 */
export async function bodyParams(body: Buffer, contentType: string | undefined): Promise<Params> {
  if (body.length === 0) return {};
  if (isJsonType(contentType)) return jsonParams(body);
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded')
    return parsePhpVariables(new URLSearchParams(body.toString()));
  if (type === 'multipart/form-data') {
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
