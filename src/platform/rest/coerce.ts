import type { TSchema } from 'typebox';
import {
  compilePattern,
  type JsonSchema,
  NON_BLANK_TEXT,
  type Pattern,
  PLAIN_LINE,
  PLAIN_TEXT,
} from '../http/schemas.ts';
import { isIndex } from './php-variables.ts';

/** A validation error in the format of WordPress core. */
export interface ValidationError {
  code: string;
  message: string;
  data: object | null;
}

export type CoercionResult = { value: unknown } | { error: ValidationError };

const MULTILINE = new Set<string | undefined>([PLAIN_TEXT, NON_BLANK_TEXT]);
const NUMERIC = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;
const BOOLEANS = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
]);

/**
 * Reads a parameter as WordPress core does (`rest_validate_value_from_schema`, `rest_sanitize_value_from_schema`):
 * numbers and booleans may be text, lists text with commas. Errors have core's codes and messages.
 * @param name for messages
 */
export function coerce(name: string, value: unknown, given: JsonSchema | TSchema): CoercionResult {
  const schema = given as JsonSchema;
  if (schema.anyOf) return coerceUnion(name, value, schema.anyOf);
  const typed = coerceType(name, value, schema);
  if ('error' in typed) return typed;
  return checkBounds(name, typed.value, schema) ?? typed;
}

function coerceUnion(
  name: string,
  value: unknown,
  branches: readonly JsonSchema[],
): CoercionResult {
  let refusal: CoercionResult | undefined;
  for (const branch of branches) {
    if (branch.type === 'null' && value !== null) continue;
    const result = coerce(name, value, branch);
    if ('value' in result) return result;
    // What is wrong with a value of the right type says more than the list of types.
    if (result.error.code !== 'rest_invalid_type') refusal ??= result;
    // For a nullable type, its own error is more precise.
    if (value !== null && branches.some(({ type }) => type === 'null')) return result;
  }
  return refusal ?? wrongType(name, branches.map(({ type }) => type).join(','));
}

function coerceType(name: string, value: unknown, schema: JsonSchema): CoercionResult {
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const number = typeof value === 'string' && NUMERIC.test(value) ? Number(value) : value;
      const fits =
        typeof number === 'number' &&
        Number.isFinite(number) &&
        (schema.type === 'number' || Number.isSafeInteger(number));
      return fits ? { value: number } : wrongType(name, schema.type);
    }
    case 'boolean': {
      const text = typeof value === 'string' ? value.toLowerCase() : value;
      const known = text === 'true' || text === 'false' ? text === 'true' : BOOLEANS.get(text);
      return known === undefined ? wrongType(name, 'boolean') : { value: known };
    }
    case 'array':
      return coerceList(name, value, schema);
    case 'object':
      return coerceObject(name, value, schema);
    case 'null':
      return value === null ? { value } : wrongType(name, 'null');
    default:
      if (typeof value !== 'string') return wrongType(name, 'string');
      // Forms end lines with CRLF.
      return { value: MULTILINE.has(schema.pattern) ? value.replaceAll('\r\n', '\n') : value };
  }
}

function coerceList(name: string, value: unknown, { items }: JsonSchema): CoercionResult {
  const list = listFrom(value);
  if (!list) return wrongType(name, 'array');
  const read: unknown[] = [];
  for (const item of list) {
    const result = items ? coerce(`${name}[${read.length}]`, item, items) : { value: item };
    if ('error' in result) return result;
    read.push(result.value);
  }
  return { value: read };
}

/** Core's `rest_is_array`: text with commas, or an array that has no key but integers. */
function listFrom(value: unknown): readonly unknown[] | undefined {
  if (typeof value === 'string') return splitWords(value);
  if (Array.isArray(value)) return value;
  const isNumeric =
    typeof value === 'object' && value !== null && Object.keys(value).every(isIndex);
  return isNumeric ? Object.values(value) : undefined;
}

/** The words of a text, between commas and blanks (core's `wp_parse_list`). */
export const splitWords = (text: string): string[] =>
  text.split(/[\s,]+/).filter((word) => word !== '');

function coerceObject(
  name: string,
  value: unknown,
  { properties = {}, required = [] }: JsonSchema,
): CoercionResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrongType(name, 'object');
  const read: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(value, key)) {
      if (!required.includes(key)) continue;
      const message = `${key} is a required property of ${name}.`;
      return { error: { code: 'rest_property_required', message, data: null } };
    }
    const result = coerce(`${name}[${key}]`, (value as Record<string, unknown>)[key], schema);
    if ('error' in result) return result;
    read[key] = result.value;
  }
  return { value: read };
}

function checkBounds(
  name: string,
  value: unknown,
  schema: JsonSchema,
): { error: ValidationError } | undefined {
  if (schema.enum && !schema.enum.includes(value)) {
    return refuse('rest_not_in_enum', `${name} is not ${describeAllowed(schema.enum)}.`);
  }
  if (typeof value === 'number') {
    const { minimum: min, maximum: max } = schema;
    if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
      return refuse('rest_out_of_bounds', `${name} must be ${range(min, max)}`);
    }
  }
  if (Array.isArray(value)) return checkList(name, value, schema);
  return typeof value === 'string' ? checkText(name, value, schema) : undefined;
}

function checkList(
  name: string,
  items: readonly unknown[],
  { minItems: min, maxItems: max, uniqueItems }: JsonSchema,
): { error: ValidationError } | undefined {
  if (min !== undefined && items.length < min) {
    return refuse('rest_too_few_items', `${name} must contain at least ${min} items.`);
  }
  if (max !== undefined && items.length > max) {
    return refuse('rest_too_many_items', `${name} must contain at most ${max} items.`);
  }
  if (uniqueItems && new Set(items).size < items.length) {
    return refuse('rest_duplicate_items', `${name} has duplicate items.`);
  }
  return undefined;
}

const PATTERN_PROBLEMS: Partial<Record<string, string>> = {
  [PLAIN_TEXT]: 'contains control characters: send it without them',
  [NON_BLANK_TEXT]: 'must not be blank or contain control characters',
  [PLAIN_LINE]: 'must be one line, without line breaks, tabs and control characters',
};

function checkText(
  name: string,
  value: string,
  schema: JsonSchema,
): { error: ValidationError } | undefined {
  if (schema.minLength !== undefined && isShorterThan(schema.minLength, value)) {
    return refuse('rest_too_short', `${name} must be at least ${plural(schema.minLength)} long.`);
  }
  if (schema.maxLength !== undefined && isLongerThan(schema.maxLength, value)) {
    return refuse('rest_too_long', `${name} must be at most ${plural(schema.maxLength)} long.`);
  }
  if (schema.pattern !== undefined && !getPattern(schema.pattern).test(value)) {
    const why = PATTERN_PROBLEMS[schema.pattern] ?? `does not match pattern ${schema.pattern}`;
    return refuse('rest_invalid_pattern', `${name} ${why}.`);
  }
  if (schema.format === 'date' && !isDate(value))
    return refuse('rest_invalid_date', 'Invalid date.');
  if (schema.format === 'uri' && !isHttpUrl(value)) {
    return refuse('rest_invalid_url', `${name} must be an http or https URL.`);
  }
  return undefined;
}

const refuse = (code: string, message: string) => ({ error: { code, message, data: null } });

/** In characters, of which JavaScript stores some as two. */
const countCharacters = (text: string): number => [...text].length;

const isShorterThan = (least: number, text: string): boolean =>
  text.length < least * 2 && countCharacters(text) < least;

const isLongerThan = (most: number, text: string): boolean =>
  text.length > most && countCharacters(text) > most;

const patterns = new Map<string, Pattern>();

/** Schemas are few, and compiling a pattern takes longer than matching it. */
function getPattern(source: string): Pattern {
  const pattern = patterns.get(source) ?? compilePattern(source);
  patterns.set(source, pattern);
  return pattern;
}

/** A day of the calendar, `YYYY-MM-DD`: core knows no such format and lets 30 February pass. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text);
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/?#]/i.test(text) && URL.canParse(text);
}

function wrongType(name: string, type: string): { error: ValidationError } {
  const message = `${name} is not of type ${type}.`;
  return { error: { code: 'rest_invalid_type', message, data: { param: name } } };
}

const plural = (count: number): string => `${count} ${count === 1 ? 'character' : 'characters'}`;

function describeAllowed(values: readonly unknown[]): string {
  if (values.length === 1) return String(values[0]);
  const last = values.length > 2 ? ', and ' : ' and ';
  return `one of ${values.slice(0, -1).join(', ')}${last}${values.at(-1)}`;
}

function range(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `less than or equal to ${max}`;
  if (max === undefined) return `greater than or equal to ${min}`;
  return `between ${min} (inclusive) and ${max} (inclusive)`;
}
