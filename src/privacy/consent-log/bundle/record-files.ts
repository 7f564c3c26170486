import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../../platform/db/index.ts';
import type { ZipFile } from '../../../platform/zip.ts';
import type { EntryColumns } from '../entries/columns.ts';
import type { createLines, LineState } from './lines.ts';
import { listRecordsOf, type Period } from './store.ts';

const RECORDS_PER_FILE = 500;
/** Proofs that are made before other work has its turn. */
const RECORDS_AT_ONCE = 10;

/** Complete when all files of records were written. */
export interface RecordCounts {
  records: { total: number } & Record<LineState, number>;
  /** The banner versions that the records state. */
  versions: Set<unknown>;
}

export const createRecordCounts = (): RecordCounts => ({
  records: { total: 0, proven: 0, not_logged: 0, altered: 0, unproven: 0 },
  versions: new Set(),
});

/**
 * The consent records of a period as JSON lines. The records of one file are in memory at once.
 * @param counts what is written is added to them
 * @param counted is called with the number of records of each file
 */
export async function* listRecordFiles(
  scope: { db: Db; columns: EntryColumns; lines: ReturnType<typeof createLines> },
  period: Period,
  limits: { first: number; last: number },
  { records, versions }: RecordCounts,
  counted: (records: number) => void,
): AsyncGenerator<ZipFile> {
  const { db, columns, lines } = scope;
  let { first } = limits;
  for (let number = 1; ; number++) {
    const page = { first, last: limits.last, limit: RECORDS_PER_FILE };
    const rows = await listRecordsOf(db, columns, period, page);
    if (rows.length === 0) return;
    yield {
      path: `records/${String(number).padStart(6, '0')}.jsonl`,
      async *chunks() {
        for (const [at, row] of rows.entries()) {
          // The log answers without waiting, so other work would have to.
          if (at % RECORDS_AT_ONCE === 0) await setImmediate();
          const { line, state } = await lines.ofRecord(row, columns);
          records[state]++;
          if (row.config_version !== null) versions.add(row.config_version);
          yield `${JSON.stringify(line)}\n`;
        }
        records.total += rows.length;
        counted(rows.length);
      },
    };
    first = Number(rows.at(-1)?.id) + 1;
  }
}
