import { hostname } from 'node:os';
import { countMails, listMails } from '../../mail/index.ts';
import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { findDatabaseFault } from '../../platform/http/probes.ts';
import { listJobs } from '../../platform/jobs/store.ts';
import { readStorage, type StorageAlert } from '../storage/index.ts';
import type { Operations } from './schemas.ts';

export interface OperationsScope {
  version: string;
  /** The folders that are written to. */
  folders: readonly string[];
  isMailSent: boolean;
  /** The storage alerts that are raised at present. */
  alerts: () => readonly StorageAlert[];
}

const DEAD = { status: 'dead', aboutPrefix: '' } as const;

const toMoment = (at: number | null): string | null => (at === null ? null : toIsoMoment(at));

/** The state of this node, and of the database, jobs and emails that all nodes share. */
export async function readOperations(
  platform: Platform,
  { version, folders, isMailSent, alerts }: OperationsScope,
): Promise<Operations> {
  const { datastore, clock } = platform;
  const now = clock.now();
  const fault = (await findDatabaseFault(datastore)) ?? null;
  const { freeBytes, databaseBytes } = await readStorage(platform, folders);
  const { pending = 0, sending = 0, dead = 0 } = await countMails(datastore.db);
  const [failure] = (await listMails(datastore.db, DEAD, { offset: 0, limit: 1 })).mails;
  return {
    version,
    node_version: process.version,
    host: hostname(),
    started_at: toIsoMoment(now - Math.round(process.uptime() * 1_000)),
    memory_bytes: process.memoryUsage.rss(),
    database: { engine: datastore.engine, size_bytes: databaseBytes, fault },
    disk: { free_bytes: freeBytes, alerts: [...alerts()] },
    jobs: (await listJobs(datastore.db)).map((job) => ({
      name: job.name,
      is_running: job.leased_until > now,
      next_run_at: toIsoMoment(job.next_at),
      last_started_at: toMoment(job.last_started_at),
      last_finished_at: toMoment(job.last_finished_at),
    })),
    mail: {
      is_sent: isMailSent,
      waiting: pending + sending,
      failed: dead,
      last_failure: failure
        ? { id: failure.id, kind: failure.kind, error: failure.lastError ?? '' }
        : null,
    },
  };
}
