import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { CliError } from '../../platform/errors.ts';
import {
  createSigner,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
} from '../../platform/transparency-log/index.ts';
import { type LogHead, openLog } from './log/open.ts';
import { describeLoss, formatLoss } from './lost-log/service.ts';
import { findDamage, readNotedHead } from './noted-head/service.ts';
import { countNotLogged } from './sequencer/state.ts';

/**
 * What `pavis doctor` says about the consent log. It reads the whole log. Rows without an entry are no error:
 * the server may not run.
 * @throws CliError if the checkpoint is not signed by this installation, or the log is not the one that the database knows
 */
export async function describeLogHealth(
  platform: Pick<Platform, 'datastore' | 'clock' | 'secret'>,
  { dataDir }: { dataDir: string },
): Promise<string> {
  const log = openLog(platform, { dataDir });
  try {
    const isSqlite = platform.datastore.engine === 'sqlite';
    const noted = await readNotedHead(platform.datastore.db);
    const loss = await describeLoss(noted, log, { isSqlite, dataDir }, findDamage);
    if (loss !== undefined) throw new CliError(formatLoss(loss));
    const head = await log.readHead();
    if (head) assertSigned(head, platform.secret.key('consent log'));
    const { count, since } = await countNotLogged(platform, log);
    const found = head
      ? `${head.size} entries, checkpoint of ${toIsoMoment(head.signedAt)}`
      : 'no entries yet';
    if (since === null || platform.clock.now() - since < MINUTE_MS) return found;
    return `${found}; ${count} rows since ${toIsoMoment(since)} are not logged: a server logs them when it runs, or its log says why it cannot`;
  } finally {
    await log.close();
  }
}

function assertSigned({ origin, checkpoint, size, root }: LogHead, seed: Uint8Array): void {
  let isOurs = false;
  try {
    const { verifierKey } = createSigner(origin, seed);
    const { text } = openNote(checkpoint, [parseVerifierKey(verifierKey)]);
    const signed = parseCheckpoint(text);
    isOurs = signed.size === size && root.equals(signed.root);
  } catch {}
  if (isOurs) return;
  throw new CliError(
    'the checkpoint has no valid signature of this installation. Restore the latest copy of the log that you kept',
  );
}
