import type { Condition, Trx } from '../platform/db/index.ts';
import type { KeepingGround } from './grounds.ts';

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
 * - `now`: the present moment, where there was none
 * - `next`: a number one higher, which ends what was issued under the old one
 * - `{ text }`: the same text in every row
 * - `{ members }`: a JSON object without its other members
 * - `{ user }`: which user it was, by their id in that column; of anybody else what comes before a name
 *   in brackets
 */
export type Replacement =
  | 'null'
  | 'random'
  | 'day_start'
  | 'day_end'
  | 'now'
  | 'next'
  | { readonly text: string }
  | { readonly members: readonly string[] }
  | { readonly user: string };

/** By what a person can be looked for. */
export type Identity = 'email' | 'visitor_id';

/** Why some of a person's records stay when they ask for erasure (GDPR Art. 17(3)). */
export interface RetentionException {
  readonly ground: KeepingGround;
  /**
   * Which records: `ongoing`, those without a moment to count their age from; those that fit a
   * condition at a moment (epoch milliseconds), which is true or false but never null; absent: all.
   */
  readonly where?: 'ongoing' | ((at: number) => Condition);
  /** Retention leaves them alone as well, if they fit the condition within the period of its policy. */
  readonly fromRetention?: true;
}

/** When something is erased. */
export interface ErasureMoment {
  /** Epoch milliseconds. */
  at: number;
  /** `YYYY-MM-DD` in the site's zone. */
  day: string;
}

/** The columns of a table that say something, and what anonymising makes of them. */
interface Columns {
  readonly table: string;
  readonly personal: Readonly<Record<string, Replacement>>;
  /** Texts that say nothing about a person. */
  readonly impersonal: readonly string[];
}

/** Rows that go with a record: changed and deleted with it, and before it. */
export interface DeclarationPart extends Columns {
  /**
   * The column that holds the record's id; where that holds the id of another part, the column
   * `table.column` of the row it names, and so on.
   */
  readonly parent: string | readonly [string, ...string[]];
}

/**
 * A kind of record: what of it is personal, from when on its age counts, and how a person's are
 * found. Retention, previews and erasure all go by this one declaration. The table has the columns
 * `id` and, where there is `due`, `anonymised_at`, with an index over `due`, `id` for the rows that are anonymised and one for those
 * that are not.
 */
export interface PersonalDataDeclaration extends Columns {
  /** What retention policies call it. */
  readonly category: string;
  /** For people, in the plural. */
  readonly label: string;
  /**
   * The column whose moment its age counts from: no policy touches a record in which that is null. A
   * type without such a column is kept as long as what it belongs to.
   */
  readonly due?: string;
  /**
   * How a person's records are found: a column of this table; where that holds an id, the column
   * `table.column` of the row it names, and so on.
   */
  readonly person?: Readonly<Partial<Record<Identity, readonly [string, ...string[]]>>>;
  /** The person's columns are random keys, with indexes of their own (`platform/db/random-keys.ts`). */
  readonly randomKeys?: true;
  /** What the person gets to see of a record, in this order (GDPR Art. 15(1) and (3)). */
  readonly shown?: readonly string[];
  /** What is shown besides its columns: by the id in a column, a column `table.column` of the row it names. */
  readonly named?: Readonly<Record<string, readonly [id: string, column: string]>>;
  /** Of what is shown, the columns that hold JSON, and those that hold 0 or 1. */
  readonly json?: readonly string[];
  readonly flags?: readonly string[];
  /** Of a JSON object that is shown, its members that are: the others are internal, or about other people. */
  readonly members?: Readonly<
    Record<string, (row: Readonly<Record<string, unknown>>) => readonly string[]>
  >;
  /** Of what is shown, columns that are about somebody else in rows that do not fit: they stay empty there. */
  readonly shownWhere?: Readonly<
    Record<string, (row: Readonly<Record<string, unknown>>) => boolean>
  >;
  /** Of what is shown, the columns that say who did it. They hold logins: people are shown by their role. */
  readonly actors?: readonly string[];
  /** The columns that the person provided: what is portable (GDPR Art. 20(1)). */
  readonly given?: readonly string[];
  /** The first that fits a record counts. Without any, what is ongoing stays, and all of a type that has no age. */
  readonly keeps?: readonly RetentionException[];
  /** An administrator is given a task where records stay: what becomes of them is theirs to decide. */
  readonly needsDecision?: true;
  /** What erasure does with the rest; without it they are anonymised. */
  readonly erasure?: 'delete';
  /** No policy can delete them: why, as the end of a sentence. */
  readonly anonymisedOnly?: string;
  /** What has to happen before a person's records are erased, in the same transaction. */
  readonly beforeErasure?: (trx: Trx, person: string, moment: ErasureMoment) => Promise<void>;
  readonly parts?: readonly DeclarationPart[];
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
