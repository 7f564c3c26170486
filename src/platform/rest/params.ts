import { isUtf8 } from 'node:buffer';
import { invalidJson } from './errors.ts';
import { parsePhpVariables } from './php-variables.ts';

export type Params = Record<string, unknown>;

/** Core's `wp_is_json_media_type`: also matches within a list. */
const JSON_TYPE = /(?:^|[\s,])application\/(?:[\w!#$&^.+-]+\+)?json(?:$|[\s,])/i;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';

/** The query parameters of most requests. They need no merging. */
export const NO_PARAMS: Params = Object.freeze({});

export function queryParams(target: string): Params {
  const at = target.indexOf('?');
  return at < 0 ? NO_PARAMS : parsePhpVariables(decode(target.slice(at).replace(/#.*$/, '')));
}

/** Removes invalid UTF-8, as core's `wpdb` does. */
function* decode(text: string): Generator<[string, string]> {
  for (const [name, value] of new URLSearchParams(text))
    yield [name.replaceAll('\ufffd', ''), value.replaceAll('\ufffd', '')];
}

const getMediaType = (contentType = ''): string =>
  (contentType.split(';', 1)[0] as string).trim().toLowerCase();

export const isForm = (contentType: string | undefined): boolean =>
  [FORM_TYPE, MULTIPART_TYPE].includes(getMediaType(contentType));

export const isJson = (contentType: string | undefined): boolean =>
  JSON_TYPE.test(getMediaType(contentType));

/**
 * The parameters of a JSON object, form or multipart body; none for other bodies.
 * @throws ApiError 400 `rest_invalid_json`
 */
export function bodyParams(
  body: Buffer,
  contentType: string | undefined,
): Params | Promise<Params> {
  if (body.length === 0) return {};
  // Most bodies.
  return contentType === 'application/json' ? jsonParams(body) : parseBody(body, contentType);
}

async function parseBody(body: Buffer, contentType: string | undefined): Promise<Params> {
  if (isJson(contentType)) return jsonParams(body);
  const type = getMediaType(contentType);
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

/** PHP's limit of nesting. */
const DEPTH_MAX = 512;

function jsonParams(body: Buffer): Params {
  if (!isUtf8(body)) throw invalidJson(5);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    throw invalidJson(4);
  }
  // A level takes two bytes at least.
  if (body.length > 2 * DEPTH_MAX && isDeeperThan(DEPTH_MAX, parsed)) throw invalidJson(1);
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? (parsed as Params) : {};
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each)));
