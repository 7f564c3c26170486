import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Db } from '../../../platform/db/index.ts';
import { TILE_WIDTH } from '../../../platform/transparency-log/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import type { ConsentLog } from '../log/open.ts';
import { ENTRY_BYTES } from '../log/rules.ts';
import type { LogDb, LogRange, LogSource } from '../log/tables.ts';
import { isEmptied, type Replacements } from './anonymised.ts';
import type { Coverage } from './coverage.ts';
import { isPending, type PendingLimits } from './pending.ts';
import type { RowProblem, RowState, Tally } from './result.ts';
import { listRangesWithin, listRows, type RawRow } from './store.ts';

/** Rows that are read at once. */
const PAGE = 200;

/** What the logged runs and restores explain. */
export interface Explanations {
  deleted: Coverage;
  anonymised: Coverage;
  /** By source. */
  lost: Record<LogSource, Coverage>;
}

export interface RowScope {
  db: Db;
  logDb: LogDb | undefined;
  log: Pick<ConsentLog, 'readEntries'>;
  /** Number of entries of the log. */
  size: number;
  columns: EntryColumns;
  replacements: Replacements;
  toEntry: (source: LogSource, row: RawRow) => Uint8Array;
  explanations: Explanations;
  /** Whether contents are compared. */
  isDeep: boolean;
  pending: PendingLimits;
}

/** Successive ids with successive entries. */
type Range = LogRange & { last: number };

/**
 * Compares rows of one source with the log.
 * @param onProgress receives the number of rows that were checked since the last call
 */
export async function checkRows(
  scope: RowScope,
  source: LogSource,
  limits: { first: number; last: number },
  tally: Tally,
  onProgress: (rows: number) => void = () => {},
): Promise<void> {
  const ranges = await readRanges(scope, source, limits);
  const entries = createEntryReader(scope);
  let at = 0;
  /** The next id that has not been seen. */
  let next = limits.first;

  /** Handles the logged ids before a row, which have no rows. */
  function passTo(id: number): void {
    for (let range = ranges[at]; range && range.first_id < id; range = ranges[at]) {
      const first = Math.max(range.first_id, next);
      const last = Math.min(range.last, id - 1);
      if (first <= last) addAbsent(scope, source, { first, last }, tally);
      if (range.last >= id) break;
      at++;
    }
    next = id;
  }

  for await (const page of readPages(scope, source, limits)) {
    for (const row of page) {
      passTo(row.id);
      const range = ranges[at];
      const isLogged = range !== undefined && range.first_id <= row.id;
      const index = isLogged ? range.first_index + row.id - range.first_id : undefined;
      const entry =
        index === undefined ? undefined : (entries.get(index) ?? (await entries.load(index)));
      const isUnreadable = index !== undefined && !entry;
      const found = isUnreadable ? UNREADABLE : classify(scope, source, row, range?.kind, entry);
      if (typeof found === 'string') tally.add(source, found, row.id);
      else tally.addProblem({ ...found, source, first: row.id, last: row.id });
      next = row.id + 1;
    }
    onProgress(page.length);
    // The main thread hands out the tasks of the other threads between pages.
    await letOthersRun();
  }
  passTo(limits.last + 1);
}

/** Ranges as far as they are within the limits and the log has their entries. */
async function readRanges(
  { logDb, size }: RowScope,
  source: LogSource,
  limits: { first: number; last: number },
): Promise<Range[]> {
  const ranges = logDb ? await listRangesWithin(logDb, source, limits) : [];
  return ranges
    .map((range) => {
      const count = Math.min(range.count, size - range.first_index);
      return { ...range, last: Math.min(range.first_id + count - 1, limits.last) };
    })
    .filter((range) => range.last >= Math.max(range.first_id, limits.first));
}

async function* readPages(
  { db, isDeep, columns }: RowScope,
  source: LogSource,
  { first, last }: { first: number; last: number },
): AsyncGenerator<RawRow[]> {
  const detail = isDeep ? { columns } : 'brief';
  for (let from = first; from <= last; ) {
    const page = await listRows(db, source, { first: from, last, limit: PAGE, detail });
    if (page.length === 0) return;
    yield page;
    from = (page.at(-1)?.id ?? last) + 1;
  }
}

/** Reads entries near those that were read before without waiting. */
function createEntryReader({ log, size }: Pick<RowScope, 'log' | 'size'>) {
  const WINDOW = 16 * TILE_WIDTH;
  let start = 0;
  let window: Buffer = Buffer.alloc(0);
  const get = (index: number): Buffer | undefined => {
    const from = (index - start) * ENTRY_BYTES;
    return from >= 0 && from < window.length
      ? window.subarray(from, from + ENTRY_BYTES)
      : undefined;
  };
  return {
    get,
    /** @returns undefined if the entry cannot be read */
    async load(index: number): Promise<Buffer | undefined> {
      // A log that lacks one bundle can have those beside it.
      for (const width of [WINDOW, TILE_WIDTH]) {
        start = index - (index % width);
        const count = Math.min(width, size - start);
        window = await log.readEntries(start, count).catch(() => Buffer.alloc(0));
        if (window.length > 0) break;
      }
      return get(index);
    },
  };
}

/** Ids that have entries and no rows. */
function addAbsent(
  { explanations: { deleted, lost } }: RowScope,
  source: LogSource,
  { first, last }: { first: number; last: number },
  tally: Tally,
): void {
  const removed = source === 1 ? deleted.split(first, last) : [{ first, last, isCovered: false }];
  for (const span of removed) {
    if (span.isCovered) {
      tally.add(source, 'deleted', span.first, span.last);
      continue;
    }
    for (const part of lost[source].split(span.first, span.last)) {
      if (part.isCovered) tally.add(source, 'lost', part.first, part.last);
      else {
        const problem = { source, first: part.first, last: part.last };
        tally.addProblem({ ...problem, state: 'missing', what: 'deleted without run' });
      }
    }
  }
}

type Comparison = Pick<
  RowScope,
  'isDeep' | 'replacements' | 'explanations' | 'pending' | 'toEntry'
>;

/**
 * @param kind according to the table of ranges
 * @returns the state of a row, or its problem
 */
export function classify(
  scope: Comparison,
  source: LogSource,
  row: RawRow,
  kind: number | undefined,
  entry: Buffer | undefined,
): RowState | Pick<RowProblem, 'state' | 'what'> {
  const { isDeep, replacements, explanations, pending, toEntry } = scope;
  if (!entry) {
    const isWaiting = isPending(pending, source, row);
    return isWaiting ? 'pending' : { state: 'unlogged', what: 'no entry' };
  }
  if (kind !== entry[1] || (isDeep && !entry.equals(toEntry(source, row)))) return CHANGED;
  const isAnonymised = source === 1 && (isDeep ? row.salt === null : row.is_anonymised === 1);
  if (isAnonymised) {
    // The hash of what was removed is kept, which says nothing about what the columns have now.
    if (isDeep && !isEmptied(replacements, row)) return CHANGED;
    if (explanations.anonymised.has(row.id)) return 'anonymised';
    return { state: 'altered', what: 'anonymised without run' };
  }
  if (kind === BEFORE_LOG) return 'earlier';
  return isDeep ? 'intact' : 'present';
}

const UNREADABLE = { state: 'unlogged', what: 'unreadable entry' } as const;
const CHANGED = { state: 'altered', what: 'contents' } as const;

/** Kind of a decision from before the log. */
const BEFORE_LOG = ENTRY_KINDS.earlierDecision;
