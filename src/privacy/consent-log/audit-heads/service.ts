import type { Platform } from '../../../platform/deps.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/durations.ts';
import { Job } from '../../../platform/jobs/job.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { recordInLog } from '../records/store.ts';
import { type AuditHead, type AuditLog, findLastIds, readHead } from './store.ts';

type Scope = Pick<Platform, 'datastore' | 'clock' | 'log'>;

/** Until then rows of the security log are merged, and rows of other nodes become visible. */
const SETTLED_AFTER_MS = HOUR_MS;

/** Adds the heads of audit logs to the consent log, once a day on one node. */
export const auditHeadsJob = (platform: Scope, logs: readonly AuditLog[]): Job =>
  new Job(platform, {
    name: 'audit_heads',
    next: (now) => now + DAY_MS,
    work: () => logAuditHeads(platform, logs),
  });

/** Hashes what was added to audit logs since the last time, so that the consent log commits to it. */
export async function logAuditHeads(
  { datastore, clock }: Scope,
  logs: readonly AuditLog[],
): Promise<void> {
  const lastIds = await findLastIds(datastore.db);
  const now = clock.now();
  const heads: AuditHead[] = [];
  for (const log of logs) {
    const lastId = lastIds.get(log.table) ?? 0;
    heads.push(await readHead(datastore.reader, log, lastId, now - SETTLED_AFTER_MS));
  }
  if (heads.every(({ count }) => count === 0)) return;
  const facts = { logs: heads.map((head) => ({ ...head })) };
  await datastore.transaction((trx) =>
    recordInLog(trx, { kind: ENTRY_KINDS.auditHeads, facts, at: now }),
  );
}
