import { isRecent, toIsoMomentOrNull } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { NoteError, parseCheckpoint, splitNote } from '../../../platform/transparency-log/index.ts';
import type { ConsentLog } from '../log/open.ts';
import {
  type CosignResult,
  cosignCheckpoint,
  type OwnCheckpoint,
  type WitnessAddress,
} from './client.ts';
import { WitnessUnreachableError } from './network.ts';
import type { WitnessState } from './schemas.ts';
import { listWitnessRows, saveWitnessRow, type WitnessRow } from './store.ts';

/** A witness that fails is asked again after a minute, then less and less often, up to once an hour. */
const RETRY_MAX_MS = HOUR_MS;

/**
 * Asks the witnesses that have not cosigned the newest checkpoint, at the same time.
 * @param allowsPrivate whether they may be in private networks
 */
export async function askWitnesses(
  { datastore, clock, log: logger }: Pick<Platform, 'datastore' | 'clock' | 'log'>,
  log: ConsentLog,
  witnesses: readonly WitnessAddress[],
  options: { allowsPrivate: boolean; signal: AbortSignal },
): Promise<void> {
  const head = await log.readHead();
  if (!head || witnesses.length === 0) return;
  const own = { size: head.size, note: head.checkpoint, readTile: log.readTile };
  const rows = await listWitnessRows(datastore.db);
  await Promise.all(
    witnesses.map(async (witness) => {
      const row = rows.find((each) => each.verifier_key === witness.key) ?? newRow(witness.key);
      if (row.error === null && isSameCheckpoint(row.checkpoint, head.checkpoint)) return;
      const pause = getPause(row.failures);
      if (row.error_at !== null && isRecent(row.error_at, pause, clock.now())) return;
      const result = await ask(witness, own, row.size, options);
      // An abort by this process is not a failure of the witness.
      if (options.signal.aborted) return;
      if ('contradiction' in result) {
        logger.error({ witness: witness.url }, `consent log: ${result.contradiction}`);
      }
      await saveWitnessRow(datastore.db, applyResult(row, own, result, clock.now()));
    }),
  );
}

async function ask(
  witness: WitnessAddress,
  own: OwnCheckpoint,
  from: number,
  options: { allowsPrivate: boolean; signal: AbortSignal },
): Promise<CosignResult> {
  try {
    return await cosignCheckpoint(witness, own, from, options);
  } catch (error) {
    if (error instanceof WitnessUnreachableError) return { error: error.message };
    throw error;
  }
}

const newRow = (key: string): WitnessRow => ({
  verifier_key: key,
  size: 0,
  checkpoint: null,
  cosignature: null,
  cosigned_at: null,
  error: null,
  error_at: null,
  failures: 0,
  contradicts: 0,
});

function applyResult(
  row: WitnessRow,
  own: OwnCheckpoint,
  result: CosignResult,
  now: number,
): WitnessRow {
  if ('cosignature' in result) {
    return {
      ...newRow(row.verifier_key),
      size: own.size,
      checkpoint: own.note,
      cosignature: result.cosignature,
      cosigned_at: result.time * 1_000,
    };
  }
  const isContradiction = 'contradiction' in result;
  return {
    ...row,
    error: isContradiction ? result.contradiction : result.error,
    error_at: now,
    failures: row.failures + 1,
    contradicts: isContradiction ? 1 : row.contradicts,
  };
}

const getPause = (failures: number): number =>
  Math.min(RETRY_MAX_MS, MINUTE_MS * 2 ** (failures - 1));

/** Adds the cosignatures that a checkpoint has got. @param note signed note of the log */
export async function addCosignatures(db: Db, note: string): Promise<string> {
  const rows = await listWitnessRows(db);
  const same = rows.filter(({ checkpoint }) => isSameCheckpoint(checkpoint, note));
  return note + same.map(({ cosignature }) => cosignature).join('');
}

/**
 * The newest checkpoint of a log that a witness has cosigned, with its cosignatures; null before the first.
 * @param origin the name of the log; witnesses may have cosigned one that was lost last
 */
export async function findCosignedCheckpoint(db: Db, origin: string): Promise<string | null> {
  const rows = await listWitnessRows(db);
  const [newest] = rows.filter((row) => isOfLog(row, origin)).toSorted((a, b) => b.size - a.size);
  return newest?.checkpoint ? addCosignatures(db, newest.checkpoint) : null;
}

const isOfLog = ({ checkpoint }: WitnessRow, origin: string): boolean =>
  readText(checkpoint)?.startsWith(`${origin}\n`) === true;

function isSameCheckpoint(one: string | null, other: string): boolean {
  const text = readText(one);
  return text !== undefined && text === readText(other);
}

/** The signed text of a checkpoint; undefined if it is none, as after someone has changed it. */
function readText(checkpoint: string | null): string | undefined {
  if (checkpoint === null) return undefined;
  try {
    const { text } = splitNote(checkpoint);
    parseCheckpoint(text);
    return text;
  } catch (error) {
    if (error instanceof NoteError) return undefined;
    throw error;
  }
}

/**
 * What is known of the witnesses of the settings.
 * @param origin the name of the log; cosignatures of one that was lost are not of this one
 */
export async function listWitnessStates(
  db: Db,
  origin: string,
  witnesses: readonly WitnessAddress[],
): Promise<WitnessState[]> {
  const rows = await listWitnessRows(db);
  return witnesses.map(({ url, key }) => {
    const row = rows.find((each) => each.verifier_key === key) ?? newRow(key);
    const isCosigned = isOfLog(row, origin);
    return {
      name: key.split('+', 1)[0] ?? '',
      url,
      key,
      size: isCosigned ? row.size : null,
      cosigned_at: isCosigned ? toIsoMomentOrNull(row.cosigned_at) : null,
      error: row.error,
      error_at: toIsoMomentOrNull(row.error_at),
      contradicts: row.contradicts === 1,
    };
  });
}
