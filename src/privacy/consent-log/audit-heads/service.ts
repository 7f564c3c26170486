import type { Platform } from '../../../platform/deps.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/durations.ts';
import { Job } from '../../../platform/jobs/job.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { toNotedFacts } from '../noted-head/rules.ts';
import { readNotedHead } from '../noted-head/service.ts';
import { recordInLog } from '../records/store.ts';
import { type AuditHead, type AuditLog, findLastHeads, readHead } from './store.ts';

type Scope = Pick<Platform, 'datastore' | 'clock' | 'log'>;

/** Until then rows of the security log are merged, and rows of other nodes become visible. */
const SETTLED_AFTER_MS = HOUR_MS;

/** Adds the heads of audit logs, and that of the consent log itself, to the consent log, once a day on one node. */
export const auditHeadsJob = (platform: Scope, logs: readonly AuditLog[]): Job =>
  new Job(platform, {
    name: 'audit_heads',
    next: (now) => now + DAY_MS,
    work: () => logAuditHeads(platform, logs),
  });

/**
 * Hashes what was added to audit logs since the last time, so that the consent log commits to it. States how long the
 * consent log was as well, so that another log which is put in its place has to agree with the database.
 */
export async function logAuditHeads(
  { datastore, clock }: Scope,
  logs: readonly AuditLog[],
): Promise<void> {
  const { lastIds, noted: before } = await findLastHeads(datastore.db);
  const now = clock.now();
  const heads: AuditHead[] = [];
  for (const log of logs) {
    const lastId = lastIds.get(log.table) ?? 0;
    heads.push(await readHead(datastore.reader, log, lastId, now - SETTLED_AFTER_MS));
  }
  const noted = await readNotedHead(datastore.db);
  // One entry more is that of the last heads.
  const hasGrown =
    noted && (noted.origin !== before?.origin || noted.size > (before?.size ?? 0) + 1);
  if (!hasGrown && heads.every(({ count }) => count === 0)) return;
  const facts = {
    logs: heads.map((head) => ({ ...head })),
    consent_log: noted && toNotedFacts(noted),
  };
  await datastore.transaction((trx) =>
    recordInLog(trx, { kind: ENTRY_KINDS.auditHeads, facts, at: now }),
  );
}
