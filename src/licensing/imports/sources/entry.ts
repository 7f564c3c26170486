/** One licence of a file, in the columns of our own format, before its values are checked. */
export interface Entry {
  /** In a CSV file, whose header is line 1; in JSON, the position counted from 1. */
  line: number;
  values: Readonly<Record<string, string>>;
  /** Names of the plan in the source, the most specific first, for `plans` of the import. */
  planNames: readonly string[];
  /** Why the entry cannot be read. */
  error?: string;
}

/** The columns of our own format. */
export const COLUMNS = [
  'external_id',
  'old_key',
  'email',
  'product',
  'tier',
  'mode',
  'status',
  'sites_allowed',
  'expires_at',
  'issued_at',
  'sites',
  'notes',
] as const;

/** A number of sites without a limit. */
export const UNLIMITED = 'unlimited';
export const LIFETIME = 'lifetime';

/** A file that cannot be read at all; the message says why. */
export class InvalidFile extends Error {
  override readonly name = 'InvalidFile';
}
