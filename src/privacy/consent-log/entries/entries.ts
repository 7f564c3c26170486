import type { EntryColumns } from './columns.ts';
import { encodeInvalid, encodeRow, hasMoment, type RawRow } from './encoding.ts';
import { formatEntry, hashFacts, hashPersonal, SALT_BYTES } from './hashing.ts';
import { ENTRY_KINDS } from './kinds.ts';

const HASH_BYTES = 32;
const NO_PERSONAL_DATA = hashPersonal();

/** The entry of a row, with its kind; `entry` is 34 bytes. */
export interface RowEntry {
  kind: number;
  entry: Buffer;
}

/**
 * Computes the entries of consent records. The same row always has the same entry, and none can fail: values that a
 * record cannot have give an entry that differs from that of every record.
 * @param lastIdBefore the highest id from before the log; 0 if there was none
 */
export const createRecordEntries =
  (columns: EntryColumns, lastIdBefore: number) =>
  (row: RawRow): RowEntry => {
    const kind =
      typeof row.id === 'number' && row.id <= lastIdBefore
        ? ENTRY_KINDS.earlierDecision
        : ENTRY_KINDS.decision;
    const factsHash = hashFacts(encodeRow(row, columns.facts));
    return { kind, entry: formatEntry(kind, commitPersonal(row, columns), factsHash) };
  };

/** The hash of the personal data of a consent record, or the one that was kept when the data was removed. */
export function commitPersonal(row: RawRow, { personal }: EntryColumns): Uint8Array {
  const { salt = null, personal_hash: kept = null } = row;
  if (isBytes(salt, SALT_BYTES) && kept === null)
    return hashPersonal(salt, encodeRow(row, personal));
  if (salt === null && isBytes(kept, HASH_BYTES)) return kept;
  // Pavis writes no such row.
  const state = [salt, kept].map((each) => (each === null ? 'null' : encodeInvalid(each)));
  return hashPersonal(undefined, `[${state},${encodeRow(row, personal)}]`);
}

const isBytes = (value: unknown, length: number): value is Uint8Array =>
  value instanceof Uint8Array && value.length === length;

/** The entry of a row of `consent_log_records`, which has facts only. */
export function toFactsEntry({ kind: stated, facts, created_at: at }: RawRow): RowEntry {
  const kind = isFactsKind(stated) ? stated : 0;
  const isValid = typeof facts === 'string' && kind === stated && hasMoment(facts, at);
  // Pavis writes no other rows.
  const text = isValid ? facts : `[${[stated, facts, at].map(encodeInvalid)}]`;
  return { kind, entry: formatEntry(kind, NO_PERSONAL_DATA, hashFacts(text)) };
}

function isFactsKind(kind: unknown): kind is number {
  const { decision, earlierDecision, ...others } = ENTRY_KINDS;
  return (Object.values(others) as unknown[]).includes(kind);
}
