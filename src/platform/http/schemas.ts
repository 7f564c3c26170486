import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

/** No control characters but tab and newline, and no halves of surrogate pairs. */
export const PLAIN_TEXT = '^[^\\p{Surrogate}\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]*$';

/**
 * A text without control characters (tab and newline excepted) and without halves of surrogate
 * pairs, which no database column keeps as they were sent.
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

/** An answer with its description, for a route's `response`. */
export function answer<T extends TProperties>(
  description: string,
  properties: T,
  example: object,
): TObject<T> {
  return Type.Object(properties, { description, examples: [example] });
}
