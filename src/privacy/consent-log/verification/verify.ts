import type { Db } from '../../../platform/db/index.ts';
import {
  createSigner,
  isKeyName,
  NoteError,
  parseVerifierKey,
} from '../../../platform/transparency-log/index.ts';
import type { LogHead } from '../log/open.ts';
import type { LogSource } from '../log/tables.ts';
import {
  type ComparedCheckpoint,
  compareCheckpoint,
  type KeptCheckpoint,
  openCheckpoint,
  type VerifiedCheckpoint,
} from './checkpoints.ts';
import { createSpans, readExplainedSpans, toExplanations } from './explanations.ts';
import { toPendingLimits } from './pending.ts';
import { checkRanges } from './ranges.ts';
import { type RowProblem, type StateCounts, Tally } from './result.ts';
import { settleRemovals } from './settle.ts';
import { countRows, listPartStarts, readLastIds } from './store.ts';
import {
  compareStored,
  type GivenUpLog,
  listStoredSizes,
  readStoredCheckpoints,
  withoutProblems,
} from './stored.ts';
import { checkSubjects } from './subjects/check.ts';
import {
  type Connections,
  connect,
  createTaskRunner,
  type Installation,
  type Task,
} from './tasks.ts';
import { runTasks } from './threads.ts';

/** Rows per task. */
const PART = 50_000;

export interface VerificationOrder extends Installation {
  /** Compares the contents of each record, not only which records there are. */
  isDeep: boolean;
  /** The Ed25519 seed of the key that signs checkpoints. */
  seed: Uint8Array;
  kept: KeptCheckpoint[];
  /** Epoch milliseconds. */
  now: number;
}

export interface Verification {
  origin: string | undefined;
  size: number;
  root: Buffer | undefined;
  signedAt: number | undefined;
  /** What is wrong with the log itself. */
  faults: string[];
  checkpoints: ComparedCheckpoint[];
  givenUp: GivenUpLog[];
  /** By source; see `STATES`. */
  counts: Record<LogSource, StateCounts>;
  problems: RowProblem[];
}

export interface Progress {
  done: number;
  total: number;
}

/**
 * Verifies the log and compares it with the database.
 * @param threads the number of threads besides this one
 */
export async function verifyLog(
  order: VerificationOrder,
  threads: number,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Verification> {
  const connections = await connect(order);
  try {
    return await verify(order, connections, threads, onProgress);
  } finally {
    await connections.close();
  }
}

async function verify(
  order: VerificationOrder,
  connections: Connections,
  threads: number,
  onProgress: (progress: Progress) => void,
): Promise<Verification> {
  const { db, log, logDb } = connections;
  const { isDeep } = order;
  const faults: string[] = [];
  if (connections.logFault) faults.push(`The log cannot be read: ${connections.logFault}.`);
  // Read before the log, which can only be longer then.
  const before = await readStoredCheckpoints(db);
  const head = await log.readHead().catch((error: Error) => {
    faults.push(`The head of the log cannot be read: ${error.message}.`);
    return undefined;
  });
  const size = head?.size ?? 0;
  const named = head && isKeyName(head.origin) ? createSigner(head.origin, order.seed) : undefined;
  const verifierKey = named?.verifierKey;
  const opened = openHead(head, verifierKey, faults);
  const kept = order.kept.map((each) => openKept(each, head, verifierKey));
  const isSqlite = order.databaseUrl.startsWith('sqlite:');
  const pending = toPendingLimits(order.now, await readLastIds(logDb, size), isSqlite);
  const common = { size, pending };

  const runHere = await createTaskRunner(connections, order, createSpans());
  const ends = { first: Number.MIN_SAFE_INTEGER, last: Number.MAX_SAFE_INTEGER };
  const ofFacts = { what: 'rows', source: 2, ...ends, ...common, isDeep: true } as const;
  const facts = await runHere(ofFacts, () => {});
  const factProblems = facts.what === 'rows' ? facts.problems : [];
  const spans = await readExplainedSpans(db, factProblems);

  const { total: rows } = await countRows(db, 1);
  const progress = { done: 0, total: size + rows };
  const advance = (done: number) => {
    progress.done = Math.min(progress.total, progress.done + done);
    onProgress({ ...progress });
  };
  const stored = withoutProblems(before, factProblems);
  const sizes = kept.flatMap((each) => ('root' in each ? [each.size] : []));
  sizes.push(...listStoredSizes(stored));
  const tasks: Task[] = [
    { what: 'tree', size, sizes },
    ...(await listParts(db)).map((part) => ({
      ...({ what: 'rows', source: 1, ...part, ...common, isDeep } as const),
    })),
  ];
  const results = await runTasks(
    tasks,
    await createTaskRunner(connections, order, spans),
    { installation: toInstallation(order), spans },
    threads,
    advance,
  );

  const tally = new Tally();
  let roots: ReadonlyMap<number, Buffer> = new Map();
  for (const result of [facts, ...results]) {
    if (result.what === 'tree') {
      roots = new Map([...result.roots].map(([at, root]) => [at, Buffer.from(root)]));
      if (result.fault) faults.push(`The log cannot be read as a whole: ${result.fault}.`);
    } else tally.addAll(result);
  }
  const rangeFault = logDb && (await checkRanges(logDb, size));
  if (rangeFault) faults.push(`The table of ranges is damaged: ${rangeFault}.`);
  compareHead(head, opened, roots, faults);
  await checkSubjects(db, factProblems, isDeep, tally);
  await addRowsOutOfRange(db, tally);
  // Read after the rows: a run that was committed meanwhile explains what they show.
  const later = toExplanations(await readExplainedSpans(db, factProblems));
  return {
    origin: head?.origin,
    size,
    root: head?.root,
    signedAt: head?.signedAt,
    faults,
    checkpoints: [
      ...kept.map(
        (each): ComparedCheckpoint => ({
          name: each.name,
          source: 'file',
          size: 'root' in each ? each.size : undefined,
          fault: 'root' in each ? compareCheckpoint(each, { size, roots }) : each.fault,
          isOfLostLog: stored.givenUp.some(({ origin }) => origin === each.origin),
        }),
      ),
      ...compareStored(
        stored,
        head && { ...head, roots },
        verifierKey === undefined ? undefined : parseVerifierKey(verifierKey),
      ),
    ],
    givenUp: stored.givenUp,
    ...settleRemovals(tally, later),
  };
}

/** What threads need; they must not get more. */
const toInstallation = ({ databaseUrl, dataDir, columns, replacements }: Installation) => ({
  databaseUrl,
  dataDir,
  columns,
  replacements,
});

/** Parts of all possible ids, with about as many consent records each. */
async function listParts(db: Db): Promise<{ first: number; last: number }[]> {
  const starts = [Number.MIN_SAFE_INTEGER, ...(await listPartStarts(db, 1, PART))];
  return starts.map((first, at) => ({
    first,
    last: (starts[at + 1] ?? Number.MAX_SAFE_INTEGER + 1) - 1,
  }));
}

/** Verifies the checkpoint of the log itself. */
function openHead(
  head: LogHead | undefined,
  verifierKey: string | undefined,
  faults: string[],
): VerifiedCheckpoint | undefined {
  if (head && verifierKey === undefined)
    faults.push(`The log has a name that no log can have: ${head.origin}.`);
  if (!head || verifierKey === undefined) return undefined;
  const key = parseVerifierKey(verifierKey);
  try {
    return openCheckpoint({ name: 'log', note: head.checkpoint }, { origin: head.origin, key });
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    faults.push(`The checkpoint of the log is not valid. ${error.message}`);
    return undefined;
  }
}

function compareHead(
  head: LogHead | undefined,
  opened: VerifiedCheckpoint | undefined,
  roots: ReadonlyMap<number, Buffer>,
  faults: string[],
): void {
  if (!head || !opened) return;
  const root = roots.get(head.size);
  const isSame = opened.size === head.size && opened.root.equals(head.root);
  if (!isSame || (root && !root.equals(opened.root))) {
    faults.push('The entries of the log do not match its signed checkpoint.');
  }
}

function openKept(
  kept: KeptCheckpoint,
  head: LogHead | undefined,
  verifierKey: string | undefined,
): VerifiedCheckpoint | { name: string; fault: string; origin: string | undefined } {
  const { name, note } = kept;
  const origin = note.split('\n', 1)[0];
  if (!head || verifierKey === undefined) return { name, fault: 'there is no log', origin };
  try {
    return openCheckpoint(kept, { origin: head.origin, key: parseVerifierKey(verifierKey) });
  } catch (error) {
    if (error instanceof NoteError) return { name, fault: error.message, origin };
    throw error;
  }
}

/** Rows whose ids Pavis cannot have given out. */
async function addRowsOutOfRange(db: Db, tally: Tally): Promise<void> {
  for (const source of [1, 2] as const) {
    const { outOfRange } = await countRows(db, source);
    if (outOfRange === 0) continue;
    // Their ids are not numbers that JavaScript holds exactly.
    const problem = { source, state: 'unlogged', what: 'id out of range' } as const;
    tally.addProblem({ ...problem, first: 1, last: outOfRange });
  }
}
