import type { Condition, Trx } from '../platform/db/index.ts';
import type { KeepingGround } from './grounds.ts';

/** What a retention policy does with due records. */
export const RETENTION_ACTIONS = ['anonymise', 'delete'] as const;
export type RetentionAction = (typeof RETENTION_ACTIONS)[number];

export const PERIOD_UNITS = ['days', 'months', 'years'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/**
 * What anonymising puts in place of a value.
 * - `random`: a random text per row, so that no two rows can be linked
 * - `day_start`, `day_end`: a time loses its time of day (UTC), which could be found in other logs. `day_end` for the due
 *   date, which must not get earlier
 * - `now`: the current time, if the value is null
 * - `next`: the number plus one, which invalidates what was issued under the old one
 * - `text`: the same text in every row
 * - `members`: a JSON object with these members only
 * - `user`: `user` and the id in this column; for others, what precedes the name in brackets
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

/** How a person is identified. */
export type Identity = 'email' | 'visitor_id';

/** Why records of a person are kept although they ask for erasure (GDPR Art. 17(3)). */
export interface RetentionException {
  readonly ground: KeepingGround;
  /**
   * Which records: `ongoing`, those without a due date; those that match a condition at a time in epoch milliseconds,
   * which must not be null; default: all.
   */
  readonly where?: 'ongoing' | ((at: number) => Condition);
  /** Retention policies keep them as well. */
  readonly fromRetention?: true;
}

/** The time of an erasure. */
export interface ErasureMoment {
  /** Epoch milliseconds. */
  at: number;
  /** `YYYY-MM-DD` in the time zone of the site. */
  day: string;
}

/** Why records are anonymised or deleted: a policy in a run of retention, or the erasure of a person. */
export type RemovalCause =
  | { readonly cause: 'retention'; readonly run: number; readonly policy: number }
  | { readonly cause: 'erasure' };

/** Records that are about to be anonymised or deleted. */
export interface RecordRemoval {
  readonly action: RetentionAction;
  readonly cause: RemovalCause;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly where: Condition;
}

/** What is changed after `beforeRemoval`. */
export interface PreparedRemoval {
  /** Matches the same records from then on. */
  readonly where: Condition;
  /** Columns that anonymised records get besides, each from a table of a common table expression. */
  readonly kept?: {
    /** `name(columns) as (query)` */
    readonly table: Condition;
    readonly name: string;
    /** Matches the records, each with one row of the table. */
    readonly on: Condition;
    readonly changes: readonly Condition[];
  };
}

interface Columns {
  readonly table: string;
  readonly personal: Readonly<Record<string, Replacement>>;
  /** Text columns without personal data. */
  readonly impersonal: readonly string[];
}

/** A table whose rows are anonymised and deleted with their record, and before it. */
export interface DeclarationPart extends Columns {
  /** The column with the id of the record. If it has the id of another part: then the column `table.column` there, and so on. */
  readonly parent: string | readonly [string, ...string[]];
}

type Row = Readonly<Record<string, unknown>>;

/**
 * A kind of record: which data is personal, when it is due, and how the records of a person are found. Retention,
 * previews and erasure use this declaration. The table has the columns `id` and, with `due`, `anonymised_at`, and
 * indexes over `due`, `id` for anonymised rows and for the others.
 */
export interface PersonalDataDeclaration extends Columns {
  /** The name in retention policies. */
  readonly category: string;
  /** For people, in the plural. */
  readonly label: string;
  /**
   * The column with the time from which the age counts; policies keep records without it. A type without such a column
   * is kept as long as the record that it belongs to.
   */
  readonly due?: string;
  /** The column that identifies the person. If it has an id: then the column `table.column` of that row, and so on. */
  readonly person?: Readonly<Partial<Record<Identity, readonly [string, ...string[]]>>>;
  /** The columns of the person are random keys with indexes of their own (`platform/db/random-keys.ts`). */
  readonly randomKeys?: true;
  /** The columns that the person receives, in this order (GDPR Art. 15(1) and (3)). */
  readonly shown?: readonly string[];
  /** Further columns that the person receives: `table.column` of the row whose id a column has. */
  readonly named?: Readonly<Record<string, readonly [id: string, column: string]>>;
  /** The shown columns that contain JSON. */
  readonly json?: readonly string[];
  /** The shown columns that contain 0 or 1. */
  readonly flags?: readonly string[];
  /** The members that are shown of a column with JSON. Others are internal, or about other people. */
  readonly members?: Readonly<Record<string, (row: Row) => readonly string[]>>;
  /** Columns that are shown only in rows that match; in others they are about someone else. */
  readonly shownWhere?: Readonly<Record<string, (row: Row) => boolean>>;
  /** The shown columns that contain the login of an actor. It is shown as a role. */
  readonly actors?: readonly string[];
  /** The columns that the person provided: the portable data (GDPR Art. 20(1)). */
  readonly given?: readonly string[];
  /** The first that matches a record counts. Default: keeps ongoing records, and all of a type without `due`. */
  readonly keeps?: readonly RetentionException[];
  /**
   * Categories of records whose legal hold protects this record as well: the ids of those that belong to it, as the inside
   * of an `in (…)`.
   */
  readonly heldWith?: Readonly<Record<string, Condition>>;
  /** An administrator gets a task to decide on records that are kept. */
  readonly needsDecision?: true;
  /** What erasure does with the other records. Default: it anonymises them. */
  readonly erasure?: 'delete';
  /** Policies cannot delete the records: the reason, as the end of a sentence. */
  readonly anonymisedOnly?: string;
  /** Entries about the work of erasures: an erasure neither changes nor counts them, so that its preview matches its result. */
  readonly uncounted?: Condition;
  /** Runs before an erasure, in its transaction. */
  readonly beforeErasure?: (trx: Trx, person: string, moment: ErasureMoment) => Promise<void>;
  /** Runs before records are anonymised or deleted, in the same transaction. */
  readonly beforeRemoval?: (trx: Trx, removal: RecordRemoval) => Promise<PreparedRemoval>;
  readonly parts?: readonly DeclarationPart[];
  /** Counts deleted records, for totals that outlive them. */
  readonly deletions?: {
    readonly table: string;
    readonly column: string;
    /** The key of the counts. The record has the same columns. */
    readonly by: readonly string[];
  };
  /** The policy of a new installation. */
  readonly policy?: {
    readonly name: string;
    readonly periodValue: number;
    readonly periodUnit: PeriodUnit;
    readonly action: RetentionAction;
  };
}
