import type { Db } from '../../../platform/db/index.ts';
import { createSigner } from '../../../platform/transparency-log/index.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { readNotedFacts } from '../noted-head/rules.ts';
import { listStatements, readRanges, type Statement } from '../verification/facts.ts';
import type { PastLosses } from './schemas.ts';

/**
 * The logs that were given up, and the records that restores of the database have lost, newest first.
 * @param seed of the keys of all logs
 */
export async function listPastLosses(db: Db, seed: Uint8Array): Promise<PastLosses> {
  const { lostLog, restore } = ENTRY_KINDS;
  const statements = (await listStatements(db, [lostLog, restore], [])).reverse();
  const ofKind = (kind: number) => statements.filter((each) => each.kind === kind);
  return {
    lost_logs: ofKind(lostLog).flatMap(({ facts }) => {
      const lost = readNotedFacts(facts?.lost);
      if (!lost) return [];
      const { verifierKey } = createSigner(lost.origin, seed);
      const replaced = { origin: lost.origin, size: lost.size, replaced_at: readTime(facts) };
      return [{ ...replaced, verifier_key: verifierKey }];
    }),
    restores: toRestores(ofKind(restore)),
  };
}

/** A restore has a statement for each table that lost rows. */
function toRestores(statements: readonly Statement[]): PastLosses['restores'] {
  const restores = new Map<string, PastLosses['restores'][number]>();
  for (const { facts } of statements) {
    const at = readTime(facts);
    const restore = restores.get(at) ?? { restored_at: at, consent_records: 0, log_records: 0 };
    const count = readRanges(facts?.ids).reduce((sum, [from, to]) => sum + to - from + 1, 0);
    if (facts?.table === 'consent_records') restore.consent_records += count;
    else restore.log_records += count;
    restores.set(at, restore);
  }
  return [...restores.values()];
}

const readTime = (facts: Statement['facts']): string => String(facts?.created_at);
