import { sql, type Updateable } from 'kysely';
import { countRows, type Db, type Trx } from '../../../platform/db/index.ts';
import { logDeletion } from '../../consent-log/index.ts';
import { NO_ENGINE, type Scan } from '../store.ts';
import type { ScanTable } from '../tables.ts';
import type { ScanLease } from './rules.ts';

/** Scans that are queued or started, oldest first. */
export const listLeases = (trx: Trx): Promise<ScanLease[]> =>
  trx
    .selectFrom('scans')
    .select([
      'id',
      'site_url as siteUrl',
      'runner',
      'status',
      'lease_holder as holder',
      'leased_until as leasedUntil',
      'takeovers',
      'started_by as startedBy',
      'started_at as startedAt',
    ])
    .where('status', 'in', ['queued', 'started'])
    .orderBy('id')
    .execute();

/** Whether there may be a scan for a server to run, or one that a command has left. */
export async function hasRunnableScans(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('scans')
    .select('id')
    .where('status', 'in', ['queued', 'started'])
    .where('runner', '!=', 'client')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Scans that are queued, without proof scans. */
export const countQueued = (trx: Trx): Promise<number> =>
  countRows(
    trx.selectFrom('scans').where('status', '=', 'queued').where('started_by', '!=', 'proof'),
  );

/** Leases a scan to a process until `until`, in epoch milliseconds. */
export async function takeScan(
  trx: Trx,
  lease: ScanLease,
  { holder, now, until }: { holder: string; now: number; until: number },
): Promise<void> {
  await trx
    .updateTable('scans')
    .set((eb) => ({
      status: 'started' as const,
      lease_holder: holder,
      leased_until: until,
      takeovers: lease.takeovers + (lease.holder === null ? 0 : 1),
      ...(lease.status === 'queued' && {
        // One that is resumed has pages of its first start.
        started_at: eb
          .case()
          .when('engine', '=', NO_ENGINE)
          // Not before it was queued, by a node whose clock may be ahead.
          .then(Math.max(now, lease.startedAt))
          .else(eb.ref('started_at'))
          .end(),
      }),
    }))
    .where('id', '=', lease.id)
    .execute();
}

/** @returns whether this holder still has the scan */
export async function renewScanLease(
  db: Db,
  id: number,
  { holder, until }: { holder: string; until: number },
): Promise<boolean> {
  const row = await db
    .updateTable('scans')
    .set({ leased_until: until })
    .where('id', '=', id)
    .where('lease_holder', '=', holder)
    .where('status', '=', 'started')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Releases the lease, so that the next process can continue the scan. */
export async function releaseScan(db: Db, id: number, holder: string): Promise<void> {
  await db
    .updateTable('scans')
    .set({ lease_holder: null, leased_until: 0 })
    .where('id', '=', id)
    .where('lease_holder', '=', holder)
    .execute();
}

/** Ends or queues a scan. */
export async function setScanStatus(
  trx: Trx,
  id: number,
  status: Exclude<Scan['status'], 'started' | 'completed'>,
  error: string | null = null,
): Promise<void> {
  const changes: Updateable<ScanTable> = { status, error };
  if (status === 'queued') {
    Object.assign(changes, { runner: 'server', lease_holder: null, leased_until: 0, takeovers: 0 });
  }
  await trx.updateTable('scans').set(changes).where('id', '=', id).execute();
}

/**
 * Deletes a scan with its pages and findings, which the consent log commits to.
 * @param at epoch milliseconds
 */
export async function deleteScan(trx: Trx, id: number, at: number): Promise<void> {
  const deletion = { cause: { cause: 'request' }, at, where: sql`scans.id = ${id}` } as const;
  await logDeletion(trx, 'scans', deletion);
  await trx.deleteFrom('scans').where('id', '=', id).execute();
}

/** Pages of a scan that have not been scanned, in the order of its plan. */
export async function listPlannedUrls(db: Db, scanId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('scan_pages')
    .select('url')
    .where('scan_id', '=', scanId)
    .where('state', '=', 'planned')
    .orderBy('id')
    .execute();
  return rows.map(({ url }) => url);
}
