/** The names of columns and values in one language, by the machine names that the JSON files have. */
export interface Terms {
  /** Sources of Pavis; those of extensions have a label. */
  sources: Readonly<Record<string, string>>;
  /** Headings by column, or by `source.column` where a source has a heading of its own. */
  columns: Readonly<Record<string, string>>;
  /** Values by column. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The English texts of the data map of a new installation, translated. */
  texts: Readonly<Record<string, string>>;
  yes: string;
  no: string;
  /** Shown for a date that means "no end". */
  never: string;
}
