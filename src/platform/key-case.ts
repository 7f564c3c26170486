type CamelCase<S> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

type SnakeCase<S> = S extends `${infer Letter}${infer Tail}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Tail>}`
  : S;

/** A row, or a record of an API, with its keys as TypeScript writes them: `closed_at` is `closedAt`. */
export type CamelCased<T> = { [K in keyof T as CamelCase<K>]: T[K] };

/** The inverse of `CamelCased`. */
export type SnakeCased<T> = { [K in keyof T as SnakeCase<K>]: T[K] };

const renameKeys = (object: object, rename: (key: string) => string): object =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), value]));

export const toCamelCase = <T extends object>(object: T): CamelCased<T> =>
  renameKeys(object, (key) =>
    key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  ) as CamelCased<T>;

export const toSnakeCase = <T extends object>(object: T): SnakeCased<T> =>
  renameKeys(object, (key) =>
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ) as SnakeCased<T>;
