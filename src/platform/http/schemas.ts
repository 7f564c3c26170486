import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

/**
 * No control characters but tab and newline. In the syntax that ECMAScript, PCRE and Python share, as are all
 * patterns of schemas.
 */
export const PLAIN_TEXT = '^[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]*$';

/** What a text is held against. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * The pattern of a schema. It matches no lone surrogates, which no database column keeps as they were
 * sent, and which the shared syntax cannot exclude.
 */
export function compilePattern(source: string): Pattern {
  const expression = new RegExp(source, 'u');
  return {
    test: (text) => text.isWellFormed() && expression.test(text),
    // Ajv tells patterns apart by this.
    toString: () => String(expression),
  };
}

/**
 * A text without control characters (tab and newline excepted) and without lone
 * surrogates, which no database column keeps as they were sent.
 */
export function Text(
  maxLength: number,
  options: { description?: string; examples?: string[]; minLength?: number } = {},
) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: PLAIN_TEXT,
    ...options,
  });
}

/** One of a few texts. */
export function OneOf<T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {},
) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
}

/** A value or none. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A field of an update: absent leaves alone, null clears. */
export const clearable = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

/** A moment: ISO 8601, UTC, with milliseconds. */
export function Moment(description: string, example: string) {
  return Type.String({ format: 'date-time', description, examples: [example] });
}

/**
 * An answer with its description, for a route's `response`.
 * @param title its name in the OpenAPI document
 */
export function describeResponse<T extends TProperties>(
  description: string,
  properties: T,
  example: object,
  title: string,
): TObject<T> {
  return Type.Object(properties, { title, description, examples: [example] });
}

/** What is answered to a DELETE: the item as it was. */
export const deletionSchema = <T extends TSchema>(record: T) =>
  Type.Object(
    { deleted: Type.Literal(true), previous: record },
    { title: `Deleted${(record as { title?: string }).title}` },
  );
