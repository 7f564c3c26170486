import { statfs } from 'node:fs/promises';
import { databaseFault } from './database-fault.ts';
import { SqliteSyncError } from './sqlite-driver.ts';

/** Why a database that answers cannot be written. */
export type WriteFault = 'disk full' | 'read-only' | 'disk fault' | 'damaged file';

/** A disk with less free space counts as full, in bytes. */
const MIN_FREE_BYTES = 1_048_576;
const FULL: ReadonlySet<unknown> = new Set([13, '53100']);
const READ_ONLY: ReadonlySet<unknown> = new Set([8, '25006']);
/** SQLite cannot read its file, or it is none of SQLite. */
const DAMAGED: ReadonlySet<unknown> = new Set([11, 26]);

/** Why a statement was refused; undefined if the database can be written. */
export function toWriteFault(error: unknown): WriteFault | undefined {
  if (databaseFault(error) !== 'unwritable') return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: number };
  const reason = errcode === undefined ? code : errcode & 0xff;
  if (FULL.has(reason)) return 'disk full';
  if (DAMAGED.has(reason)) return 'damaged file';
  return READ_ONLY.has(reason) ? 'read-only' : 'disk fault';
}

/** As `toWriteFault`, also of a change that the disk has not confirmed and that may be kept nevertheless. */
export const toDatabaseWriteFault = (error: unknown): WriteFault | undefined =>
  error instanceof SqliteSyncError ? 'disk fault' : toWriteFault(error);

const EXPLANATIONS: Record<WriteFault, [problem: string, advice: string]> = {
  'disk full': ['The disk of the database is full.', 'Free space on the server, then try again.'],
  'read-only': ['The database is read-only.', 'Make it writable on the server, then try again.'],
  'disk fault': [
    'The disk of the database reports errors.',
    'Check the disk of the server, then try again.',
  ],
  'damaged file': [
    'The database file is damaged.',
    'Stop the server, then restore a backup with "pavis restore FILE --force".',
  ],
};

/** @param consequence without one, nothing was to be written */
export function describeWriteFault(fault: WriteFault, consequence?: string): string {
  const [problem, advice] = EXPLANATIONS[fault];
  return [problem, ...(consequence ? [consequence] : []), advice].join(' ');
}

/** The state of a database with a fault, for those who monitor it. */
export const describeFaultyState = (fault: WriteFault): string =>
  describeWriteFault(
    fault,
    fault === 'damaged file' ? 'Reads and writes can fail.' : 'Reads keep working, writes fail.',
  );

/** Whether a folder has no space left for this process. File systems that do not report it are not full. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { blocks, bsize, bavail, bfree } = await statfs(folder);
  if (blocks === 0) return false;
  // Some space is reserved for root.
  const free = process.getuid?.() === 0 ? bfree : bavail;
  return free * bsize < MIN_FREE_BYTES;
}
