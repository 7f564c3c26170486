import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { toEntryColumns } from '../entries/columns.ts';
import type { ConsentLog } from '../log/open.ts';
import { Coverage } from './coverage.ts';
import { toPendingLimits } from './pending.ts';
import type { RowState } from './result.ts';
import { classify } from './rows.ts';
import { listRows } from './store.ts';
import { openRecordEntries } from './tasks.ts';

/** A consent record, compared with its entry. */
export interface ComparedRecord {
  state: RowState;
  /** Undefined without an entry. */
  index: number | undefined;
  /** Number of entries of the log. */
  size: number;
}

/** Whether a logged run covers an anonymised record is left to a verification, which checks the runs themselves. */
const UNCHECKED_RUNS = new Coverage([
  { first: Number.MIN_SAFE_INTEGER, last: Number.MAX_SAFE_INTEGER, by: 0 },
]);
const NONE = new Coverage([]);

/**
 * Compares one consent record with the log.
 * @returns undefined if there is no such record
 */
export async function compareRecord(
  { datastore: { db, engine }, clock }: Pick<Platform, 'datastore' | 'clock'>,
  log: ConsentLog,
  declaration: PersonalDataDeclaration,
  id: number,
): Promise<ComparedRecord | undefined> {
  const columns = toEntryColumns(declaration);
  const asked = { first: id, last: id, limit: 1, detail: { columns } };
  const [row] = await listRows(db, 1, asked);
  if (!row) return undefined;
  const toEntry = await openRecordEntries(db, columns);
  // Before its entry, which the log may get meanwhile.
  const lastIds = await log.readLastIds();
  const index = await log.findIndex(1, id);
  const size = (await log.readHead())?.size ?? 0;
  const isLogged = index !== undefined && index < size;
  const entry = isLogged ? await log.readEntries(index, 1) : undefined;
  const [range] = isLogged ? await log.listRanges(index, 1) : [];
  const scope = {
    isDeep: true,
    replacements: declaration.personal,
    explanations: { deleted: NONE, anonymised: UNCHECKED_RUNS, lost: { 1: NONE, 2: NONE } },
    pending: toPendingLimits(clock.now(), lastIds, engine === 'sqlite'),
    toEntry: () => toEntry(row).entry,
  };
  const found = classify(scope, 1, row, range?.kind, entry);
  const state = typeof found === 'string' ? found : found.state;
  return { state, index: isLogged ? index : undefined, size };
}
