import { hostname } from 'node:os';
import { countMails, findLastFailedMail } from '../../mail/index.ts';
import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import { findFact, recordFact } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { findDatabaseFault } from '../../platform/http/probes.ts';
import { listJobs } from '../../platform/jobs/store.ts';
import { readMissingPictures } from '../../privacy/consent/index.ts';
import { readStorage, type StorageAlert } from '../storage/index.ts';
import type { Operations } from './schemas.ts';
import { countQueues } from './store.ts';

export interface OperationsScope {
  version: string;
  /** The folders that are written to. */
  folders: readonly string[];
  isMailSent: boolean;
  /** The active storage alerts. */
  alerts: () => readonly StorageAlert[];
}

const LAST_BACKUP = 'last backup';

/** Records that a backup was made now. */
export const recordBackup = ({ datastore, clock }: Platform): Promise<void> =>
  recordFact(datastore.db, LAST_BACKUP, toIsoMoment(clock.now()));

type Job = Awaited<ReturnType<typeof listJobs>>[number];

function toLastResult(job: Job, now: number): Operations['jobs'][number]['last_result'] {
  const startedAt = job.last_started_at;
  if (startedAt === null || job.leased_until > now) return null;
  if (job.last_finished_at !== null && job.last_finished_at >= startedAt) return 'succeeded';
  // A job that failed is due again later; one that was interrupted is still due.
  return job.next_at > startedAt ? 'failed' : 'interrupted';
}

/** The state of this node, and of the database, jobs, queues and emails that all nodes share. */
export async function readOperations(
  platform: Platform,
  { version, folders, isMailSent, alerts }: OperationsScope,
): Promise<Operations> {
  const { datastore, clock } = platform;
  const { db } = datastore;
  const now = clock.now();
  const fault = (await findDatabaseFault(datastore)) ?? null;
  const { freeBytes, databaseBytes } = await readStorage(platform, folders);
  const { pending = 0, sending = 0, dead = 0 } = await countMails(db, now);
  const pictures = await readMissingPictures(platform);
  const failure = await findLastFailedMail(db);
  return {
    version,
    node_version: process.version,
    host: hostname(),
    started_at: toIsoMoment(Math.round(performance.timeOrigin)),
    memory_bytes: process.memoryUsage.rss(),
    database: { engine: datastore.engine, size_bytes: databaseBytes, fault },
    disk: { free_bytes: freeBytes, alerts: [...alerts()] },
    backup: { last_at: (await findFact(db, LAST_BACKUP)) ?? null },
    jobs: (await listJobs(db)).map((job) => ({
      name: job.name,
      is_running: job.leased_until > now,
      next_run_at: toIsoMoment(job.next_at),
      last_started_at: toIsoMomentOrNull(job.last_started_at),
      last_finished_at: toIsoMomentOrNull(job.last_finished_at),
      last_result: toLastResult(job, now),
    })),
    queues: await countQueues(db),
    banner_pictures: {
      waiting_versions: pictures.versions,
      without_browser_at: pictures.withoutBrowserAt,
    },
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
