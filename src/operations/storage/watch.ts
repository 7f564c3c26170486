import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { listUsers } from '../../identity/users/index.ts';
import { queueMail } from '../../mail/index.ts';
import { toIsoMoment } from '../../platform/clock.ts';
import { deleteFact, hasFact, insertFact } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { renderStorageAlert } from './messages.ts';
import {
  findStorageAlerts,
  projectDaysLeft,
  type Reading,
  STORAGE_ALERTS,
  type StorageAlert,
  type StorageLimits,
} from './rules.ts';

const LOOK_EVERY_MS = 60_000;
/** An hour. */
const READINGS_MAX = 60;

export interface StorageScope extends StorageLimits {
  /** The folders that are written to. */
  folders: readonly string[];
  /** Of mails. */
  sender: () => Promise<{ fromName: string; language: string }>;
}

/** What is used and what is left now. */
export async function readStorage(
  { datastore, clock }: Pick<Platform, 'datastore' | 'clock'>,
  folders: readonly string[],
): Promise<Reading> {
  const disks = await Promise.all(folders.map((folder) => statfs(folder)));
  const freeBytes = Math.min(...disks.map(({ bavail, bsize }) => bavail * bsize));
  return { at: clock.now(), freeBytes, databaseBytes: await datastore.size() };
}

/**
 * Watches the disk and the database of this node, and mails administrators before they are full: once when a limit
 * is crossed, whatever the number of nodes and starts.
 */
export class StorageWatch {
  readonly #platform: Platform;
  readonly #scope: StorageScope;
  #readings: Reading[] = [];
  #raised: Set<StorageAlert> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> | undefined;

  constructor(platform: Platform, scope: StorageScope) {
    this.#platform = platform;
    this.#scope = scope;
  }

  start(): void {
    const look = () => {
      this.#running ??= this.look()
        .catch((err) => this.#platform.log.warn({ err }, 'cannot check the free storage'))
        .finally(() => {
          this.#running = undefined;
        });
    };
    look();
    this.#timer = setInterval(look, LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** What is wrong at present, as far as this node knows. */
  get alerts(): readonly StorageAlert[] {
    return [...(this.#raised ?? [])];
  }

  /** Reads, and tells administrators what they have to know. */
  async look(): Promise<void> {
    const { db } = this.#platform.datastore;
    const reading = await readStorage(this.#platform, this.#scope.folders);
    this.#readings = [...this.#readings, reading].slice(-READINGS_MAX);
    if (this.#raised === undefined) {
      this.#raised = new Set();
      for (const alert of STORAGE_ALERTS)
        if (await hasFact(db, factOf(alert))) this.#raised.add(alert);
    }
    const before = this.#raised;
    const now = findStorageAlerts(this.#readings, this.#scope, before);
    for (const alert of STORAGE_ALERTS) {
      if (now.has(alert) && !before.has(alert)) await this.#raise(alert, reading);
      if (!now.has(alert) && before.has(alert)) await deleteFact(db, factOf(alert));
    }
    this.#raised = now;
  }

  async #raise(alert: StorageAlert, reading: Reading): Promise<void> {
    const { datastore, clock, log } = this.#platform;
    const { freeBytes, databaseBytes } = reading;
    log.warn({ alert, freeBytes, databaseBytes }, 'storage is running short');
    const { fromName, language } = await this.#scope.sender();
    const daysLeft = projectDaysLeft(this.#readings);
    const mail = renderStorageAlert(alert, reading, { host: hostname(), daysLeft, language });
    const users = await listUsers(this.#platform);
    const administrators = users.filter(({ role }) => role === 'administrator');
    await datastore.transaction(async (trx, announce) => {
      if (!(await insertFact(trx, factOf(alert), toIsoMoment(clock.now())))) return;
      for (const { email: to } of administrators)
        await queueMail(
          trx,
          announce,
          { ...mail, to, kind: 'storage_alert', fromName },
          clock.now(),
        );
    });
  }

  /** In Prometheus' format. */
  render(): string {
    const last = this.#readings.at(-1);
    if (!last) return '';
    return [
      '# HELP pavis_disk_free_bytes Free space of the disk of the data folder.\n# TYPE pavis_disk_free_bytes gauge\n',
      `pavis_disk_free_bytes ${last.freeBytes}\n`,
      '# HELP pavis_database_bytes Size of the database.\n# TYPE pavis_database_bytes gauge\n',
      `pavis_database_bytes ${last.databaseBytes}\n`,
      '# HELP pavis_storage_alert Whether an alert about storage is raised.\n# TYPE pavis_storage_alert gauge\n',
      ...STORAGE_ALERTS.map(
        (alert) => `pavis_storage_alert{alert="${alert}"} ${this.#raised?.has(alert) ? 1 : 0}\n`,
      ),
    ].join('');
  }
}

/** Each node has a disk of its own; the database is the same for all. */
const factOf = (alert: StorageAlert): string =>
  alert === 'database_large' ? `storage ${alert}` : `storage ${alert} ${hostname()}`;
