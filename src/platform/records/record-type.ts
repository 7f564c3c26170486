/** What a retention policy does with the records that are due. */
export const RETENTION_ACTIONS = ['anonymise', 'delete'] as const;
export type RetentionAction = (typeof RETENTION_ACTIONS)[number];

export const PERIOD_UNITS = ['days', 'months', 'years'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/**
 * What anonymising puts in place of a value.
 * - `null`: nothing
 * - `random`: a text made up for each row, so that neither a key nor a guess leads back, and no two
 *   rows can be told to be of one person
 * - `day_start`, `day_end`: a moment loses its time (UTC), by which it could be found in another log.
 *   Where an age counts from it, `day_end`: it must not grow older by it
 * - `{ text }`: the same text in every row
 */
export type Replacement = 'null' | 'random' | 'day_start' | 'day_end' | { readonly text: string };

/** By what a person can be looked for. */
export type Identity = 'email' | 'visitor_id';

/** The columns of a table that say something, and what anonymising makes of them. */
interface Columns {
  readonly table: string;
  readonly personal: Readonly<Record<string, Replacement>>;
  /** Texts that say nothing about a person. */
  readonly impersonal: readonly string[];
}

/** Rows that go with a record: changed and deleted with it, and before it. */
export interface RecordPart extends Columns {
  /** The column that holds the record's id. */
  readonly parent: string;
}

/**
 * A kind of record: what of it is personal, from when on its age counts, and how a person's are
 * found. Retention, previews and erasure all go by this one declaration. The table has the columns
 * `id` and, where there is `due`, `anonymised_at`, with an index over `due`, `id` for the rows that are anonymised and one for those
 * that are not.
 */
export interface RecordType extends Columns {
  /** What retention policies call it. */
  readonly category: string;
  /** For people, in the plural. */
  readonly label: string;
  /**
   * The column whose moment its age counts from. While that is null the record is in use: no policy
   * and no erasure touches it. A type without such a column is kept as long as what it belongs to.
   */
  readonly due?: string;
  /**
   * How a person's records are found: a column of this table; where that holds an id, the column
   * `table.column` of the row it names, and so on.
   */
  readonly person?: Readonly<Partial<Record<Identity, readonly [string, ...string[]]>>>;
  /** The person's columns are random keys, with indexes of their own (`platform/db/random-keys.ts`). */
  readonly randomKeys?: true;
  /** The columns that the person provided: what is portable (GDPR Art. 20(1)). */
  readonly given?: readonly string[];
  readonly parts?: readonly RecordPart[];
  /** Where it is counted how many records were deleted: totals are kept apart from the records. */
  readonly deletions?: {
    readonly table: string;
    readonly column: string;
    /** The key of the counts, and columns of the record as well. */
    readonly by: readonly string[];
  };
  /** The policy that a new installation starts with. */
  readonly policy?: {
    readonly name: string;
    readonly periodValue: number;
    readonly periodUnit: PeriodUnit;
    readonly action: RetentionAction;
    readonly isActive: boolean;
  };
}
