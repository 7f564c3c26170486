import type { Db } from '../../../platform/db/index.ts';
import {
  NoteError,
  parseCheckpoint,
  splitNote,
  type VerifierKey,
} from '../../../platform/transparency-log/index.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { type NotedHead, readNotedFacts } from '../noted-head/rules.ts';
import { compareNotedHead, readNotedHead } from '../noted-head/service.ts';
import { listWitnessRows, type WitnessRow } from '../witnesses/store.ts';
import { type ComparedCheckpoint, compareCheckpoint, openCheckpoint } from './checkpoints.ts';
import { listStatements } from './facts.ts';
import type { RowProblem } from './result.ts';

/** A log that was given up, because it was lost. */
export interface GivenUpLog {
  origin: string;
  /** Number of entries that it had, as far as is known. */
  size: number;
  /** When the next one was begun, in ISO 8601. */
  at: string;
}

/** What a witness has said last. */
interface Witnessed extends WitnessRow {
  /** What it has cosigned, without proof; undefined if it has not cosigned anything that can be read. */
  claim: Pick<NotedHead, 'origin' | 'size'> | undefined;
}

/** What the main database says about the log. It was written beside the log, so it proves less than what others keep. */
export interface StoredCheckpoints {
  noted: NotedHead | undefined;
  /** By daily entries, with the ids of their rows, oldest first. */
  stated: (NotedHead & { id: number })[];
  witnesses: Witnessed[];
  givenUp: (GivenUpLog & { id: number })[];
}

export async function readStoredCheckpoints(db: Db): Promise<StoredCheckpoints> {
  const { auditHeads, lostLog } = ENTRY_KINDS;
  const stored: StoredCheckpoints = {
    noted: await readNotedHead(db),
    stated: [],
    witnesses: (await listWitnessRows(db)).map((row) => ({ ...row, claim: readClaim(row) })),
    givenUp: [],
  };
  for (const { id, kind, facts = {} } of await listStatements(db, [auditHeads, lostLog], [])) {
    const head = readNotedFacts(kind === lostLog ? facts.lost : facts.consent_log);
    if (!head) continue;
    if (kind === auditHeads) stored.stated.push({ id, ...head });
    else stored.givenUp.push({ id, ...head, at: String(facts.created_at) });
  }
  return stored;
}

function readClaim({ checkpoint }: WitnessRow): Witnessed['claim'] {
  if (checkpoint === null) return undefined;
  try {
    return parseCheckpoint(splitNote(checkpoint).text);
  } catch {
    return undefined;
  }
}

/** @param problems of rows with facts; what is stated by those is not compared */
export function withoutProblems(
  { stated, givenUp, ...stored }: StoredCheckpoints,
  problems: readonly RowProblem[],
): StoredCheckpoints {
  const has = (id: number, found: readonly RowProblem[]) =>
    found.some(({ first, last }) => first <= id && id <= last);
  // Rows without an entry may be so because the log is not the one that had it.
  const altered = problems.filter(({ state }) => state === 'altered');
  return {
    ...stored,
    stated: stated.filter(({ id }) => !has(id, altered)),
    givenUp: givenUp.filter(({ id }) => !has(id, problems)),
  };
}

/** The sizes whose roots are compared. */
export const listStoredSizes = ({ noted, stated, witnesses }: StoredCheckpoints): number[] =>
  [noted, ...stated, ...witnesses.map(({ claim }) => claim)].flatMap((each) => each?.size ?? []);

interface ReadLog {
  origin: string;
  size: number;
  roots: ReadonlyMap<number, Uint8Array>;
}

/**
 * Compares the log with what the main database says about it.
 * @param log undefined if there is none
 * @param key of the log
 */
export function compareStored(
  { noted, stated, witnesses, givenUp }: StoredCheckpoints,
  log: ReadLog | undefined,
  key: VerifierKey | undefined,
): ComparedCheckpoint[] {
  const isGivenUp = (origin: string) => givenUp.some((each) => each.origin === origin);
  const compare = (name: string, head: NotedHead): ComparedCheckpoint => ({
    ...{ name, source: 'database', size: head.size, fault: compareNotedHead(head, log) },
  });
  const daily = stated
    .filter(({ origin }) => !isGivenUp(origin))
    .map(({ id, ...head }) => compare(`stated by log record ${id}`, head));
  // The first checkpoint with a problem, otherwise the newest.
  const shown = daily.find(({ fault }) => fault !== undefined) ?? daily.at(-1);
  return [
    ...(noted && !isGivenUp(noted.origin) ? [compare('noted in the database', noted)] : []),
    ...(shown ? [shown] : []),
    ...witnesses
      .filter(({ claim, checkpoint, contradicts }) => {
        const hasSaidNothing = checkpoint === null && contradicts === 0;
        return !hasSaidNothing && !(claim && isGivenUp(claim.origin));
      })
      .map((witnessed) => compareWitness(witnessed, log, key)),
  ];
}

function compareWitness(
  { verifier_key: witnessKey, checkpoint, cosignature, contradicts, claim }: Witnessed,
  log: ReadLog | undefined,
  key: VerifierKey | undefined,
): ComparedCheckpoint {
  const name = `of ${witnessKey.split('+', 1)[0]}`;
  const compared = { name, source: 'witness', size: claim?.size } as const;
  if (!log || !key) return { ...compared, fault: 'there is no log' };
  try {
    const note = `${checkpoint ?? ''}${cosignature ?? ''}`;
    const fault =
      checkpoint === null
        ? undefined
        : compareCheckpoint(openCheckpoint({ name, note, witnessKey }, { ...log, key }), log);
    const contradiction = 'the witness has cosigned entries that are not in this log';
    return { ...compared, fault: fault ?? (contradicts === 1 ? contradiction : undefined) };
  } catch (error) {
    if (error instanceof NoteError) return { ...compared, fault: error.message };
    throw error;
  }
}
