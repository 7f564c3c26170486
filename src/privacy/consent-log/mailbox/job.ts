import { queueMail } from '../../../mail/index.ts';
import { findFact, lockName, recordFact } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { Job } from '../../../platform/jobs/job.ts';
import type { ConsentLog } from '../log/open.ts';
import { renderCheckpointMail } from './messages.ts';

const MAILED = 'consent log mailed';

/** The recipient of checkpoints. */
export interface Mailbox {
  to: string;
  /** BCP 47. */
  language: string;
  fromName: string;
}

interface Scope {
  log: ConsentLog;
  /** Undefined if no checkpoint is to be sent. */
  readMailbox: () => Promise<Mailbox | undefined>;
}

/**
 * Sends the newest checkpoint to a mailbox, once a day on one node, if the log has grown. It is a witness: who rewrites
 * the log cannot change what was sent.
 */
export const checkpointMailJob = (platform: Platform, scope: Scope): Job =>
  new Job(platform, {
    name: 'consent_log_checkpoint_mail',
    next: (now) => now + DAY_MS,
    work: () => mailCheckpoint(platform, scope),
  });

/** Queues the email, unless the mailbox has got one of this size. */
export async function mailCheckpoint(
  { datastore, clock, secret }: Pick<Platform, 'datastore' | 'clock' | 'secret'>,
  { log, readMailbox }: Scope,
): Promise<void> {
  const mailbox = await readMailbox();
  const head = mailbox && (await log.readHead());
  if (!head) return;
  const { language, ...recipient } = mailbox;
  // A hash, as the address is personal data.
  const mark = `${secret.hash('consent log mailbox', mailbox.to)} ${head.size}`;
  if ((await findFact(datastore.db, MAILED)) === mark) return;
  const mail = renderCheckpointMail(head, language);
  await datastore.transaction(async (trx, announce) => {
    // A node whose lease has expired can be at it too.
    await lockName(trx, MAILED);
    if ((await findFact(trx, MAILED)) === mark) return;
    const queued = { ...mail, ...recipient, kind: 'consent_log_checkpoint' };
    await queueMail(trx, announce, queued, clock.now());
    await recordFact(trx, MAILED, mark);
  });
}
