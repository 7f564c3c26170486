import { statfs } from 'node:fs/promises';
import { databaseFault } from './dialect.ts';

/** Why a database that answers cannot be written. */
export type WriteFault = 'disk full' | 'read-only' | 'disk fault';

/** With less space than this, in bytes, a disk counts as full. */
const LEAST_SPACE = 1_048_576;

const FULL: ReadonlySet<unknown> = new Set([13, '53100']);
const READ_ONLY: ReadonlySet<unknown> = new Set([8, '25006']);

/** Why a statement was refused; undefined for an error that does not come from a database that cannot be written. */
export function toWriteFault(error: unknown): WriteFault | undefined {
  if (databaseFault(error) !== 'unwritable') return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: number };
  const reason = errcode === undefined ? code : errcode & 0xff;
  if (FULL.has(reason)) return 'disk full';
  return READ_ONLY.has(reason) ? 'read-only' : 'disk fault';
}

const REASONS: Record<WriteFault, { what: string; todo: string }> = {
  'disk full': {
    what: 'The disk of the database is full.',
    todo: 'Free space on the server, then try again.',
  },
  'read-only': {
    what: 'The database is read-only.',
    todo: 'Make it writable on the server, then try again.',
  },
  'disk fault': {
    what: 'The disk of the database reports errors.',
    todo: 'Check the disk of the server, then try again.',
  },
};

/** Says what is wrong, and what to do. */
export const describeWriteFault = (fault: WriteFault, consequence: string): string =>
  `${REASONS[fault].what} ${consequence} ${REASONS[fault].todo}`;

/** Whether there is no space left in a folder for this process. File systems that do not say are not full. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { blocks, bsize, bavail, bfree } = await statfs(folder);
  if (blocks === 0) return false;
  // Some space is kept for root.
  const free = process.getuid?.() === 0 ? bfree : bavail;
  return free * bsize < LEAST_SPACE;
}
