import {
  createSigner,
  NoteError,
  parseVerifierKey,
} from '../../../platform/transparency-log/index.ts';
import type { ConsentLog } from '../log/open.ts';
import type { NotedHead } from '../noted-head/rules.ts';
import { findLoss } from '../noted-head/service.ts';
import { openCheckpoint } from '../verification/checkpoints.ts';
import { isNameOfLater } from './rules.ts';

/**
 * Recognises a database from before `restartLog`: the log is the one that was begun in place of the noted one. Only a
 * person with the key can sign such a log.
 * @param getSeed of the keys of all logs
 * @returns the state of that log; undefined if it is another one or damaged
 */
export async function findLaterLog(
  noted: NotedHead,
  log: ConsentLog,
  getSeed: () => Uint8Array,
): Promise<NotedHead | undefined> {
  const head = await log.readHead();
  if (!head || !isNameOfLater(head.origin, noted.origin)) return undefined;
  const { origin, checkpoint: note } = head;
  const key = parseVerifierKey(createSigner(origin, getSeed()).verifierKey);
  try {
    const signed = openCheckpoint({ name: 'log', note }, { origin, key });
    return (await findLoss(signed, log)) === undefined ? signed : undefined;
  } catch (error) {
    if (error instanceof NoteError) return undefined;
    throw error;
  }
}
