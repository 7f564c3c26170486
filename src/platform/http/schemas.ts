import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

/** The keywords that this server uses. */
export interface JsonSchema {
  type?: string;
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
}

/** No control characters but tab and newline, in the syntax that ECMAScript, PCRE and Python share. */
export const PLAIN_TEXT = '^[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]*$';

/** As `PLAIN_TEXT`, and no tab or line break: for names that stand in the header of an email. */
export const PLAIN_LINE = '^[^\\x00-\\x1f\\x7f-\\x9f]*$';

/** As `PLAIN_TEXT`, and not only white space. */
export const NON_BLANK_TEXT = '^(?=\\s*\\S)[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]*$';

/** For slugs and handles. */
export const SLUG = '^[a-z0-9][a-z0-9_-]{0,63}$';

export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/** The pattern of a schema. It also refuses lone surrogates, which no database column can store. */
export function compilePattern(source: string): Pattern {
  const expression = new RegExp(source, 'u');
  return {
    test: (text) => text.isWellFormed() && expression.test(text),
    // Ajv's cache key.
    toString: () => String(expression),
  };
}

/** A text without control characters but tab and newline. */
export function Text(
  maxLength: number,
  options: { description?: string; examples?: string[]; minLength?: number; pattern?: string } = {},
) {
  return Type.String({ minLength: 1, maxLength, pattern: PLAIN_TEXT, ...options });
}

/** A text of one line. */
export function Line(
  maxLength: number,
  options: { description?: string; examples?: string[]; minLength?: number } = {},
) {
  return Text(maxLength, { ...options, pattern: PLAIN_LINE });
}

/** A text that people read, for example a name or the label of a button. */
export function NonBlankText(
  maxLength: number,
  options: { description?: string; examples?: string[] } = {},
) {
  return Text(maxLength, { ...options, pattern: NON_BLANK_TEXT });
}

export function OneOf<T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {},
) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
}

/** A boolean as WordPress stores it. */
export const Flag = Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A field of an update: null clears it. */
export const clearable = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

/** ISO 8601, UTC, with milliseconds. */
export function Moment(description: string, example = '2026-11-21T09:30:00.000Z') {
  return Type.String({ format: 'date-time', description, examples: [example] });
}

/** The request header `Idempotency-Key`, a name that clients choose for a request to repeat it safely. */
export function IdempotencyKeyHeader(description: string) {
  return Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$', description }),
    ),
  });
}

/** @param title the schema's name in the OpenAPI document */
export function describeResponse<T extends TProperties>(
  description: string,
  properties: T,
  example: object,
  title: string,
): TObject<T> {
  return Type.Object(properties, { title, description, examples: [example] });
}

/** The response to a DELETE, with the deleted item. */
export const deletionSchema = <T extends TSchema>(record: T) =>
  Type.Object(
    { deleted: Type.Literal(true), previous: record },
    { title: `Deleted${(record as { title?: string }).title}` },
  );
