type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A row with the names of its columns in camelCase. */
export type CamelCased<Row> = { [Name in keyof Row as CamelCase<Name> & PropertyKey]: Row[Name] };

/** Renames columns to camelCase. Not for rows of hot paths. */
export const toCamelCase = <Row extends object>(row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as CamelCased<Row>;
