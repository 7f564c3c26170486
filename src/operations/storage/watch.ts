import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { listUsers } from '../../identity/users/index.ts';
import { queueMail } from '../../mail/index.ts';
import { toIsoMoment } from '../../platform/clock.ts';
import { deleteFact, hasFact, insertFact } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { renderStorageAlert } from './messages.ts';
import {
  findStorageAlerts,
  projectDaysLeft,
  type Reading,
  STORAGE_ALERTS,
  type StorageAlert,
  type StorageLimits,
} from './rules.ts';

const CHECK_EVERY_MS = MINUTE_MS;
/** One hour. */
const READINGS_MAX = 60;

export interface StorageScope extends StorageLimits {
  /** The folders that are written to. */
  folders: readonly string[];
  sender: () => Promise<{ fromName: string; language: string }>;
}

export async function readStorage(
  { datastore, clock }: Pick<Platform, 'datastore' | 'clock'>,
  folders: readonly string[],
): Promise<Reading> {
  const disks = await Promise.all(folders.map((folder) => statfs(folder)));
  const freeBytes = Math.min(...disks.map(({ bavail, bsize }) => bavail * bsize));
  return { at: clock.now(), freeBytes, databaseBytes: await datastore.size() };
}

/**
 * Watches the free disk space and the database size, and emails administrators before they run out: once per limit,
 * regardless of the number of nodes and restarts.
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
    const check = () => {
      this.#running ??= this.check()
        .catch((err) => this.#platform.log.warn({ err }, 'cannot check the free storage'))
        .finally(() => {
          this.#running = undefined;
        });
    };
    check();
    this.#timer = setInterval(check, CHECK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** The active alerts of this node. */
  get alerts(): readonly StorageAlert[] {
    return [...(this.#raised ?? [])];
  }

  /** Takes a reading, and raises and ends alerts. */
  async check(): Promise<void> {
    const { db } = this.#platform.datastore;
    const reading = await readStorage(this.#platform, this.#scope.folders);
    this.#readings = [...this.#readings, reading].slice(-READINGS_MAX);
    if (this.#raised === undefined) {
      this.#raised = new Set();
      for (const alert of STORAGE_ALERTS)
        if (await hasFact(db, toFactName(alert))) this.#raised.add(alert);
    }
    const before = this.#raised;
    const now = findStorageAlerts(this.#readings, this.#scope, before);
    for (const alert of STORAGE_ALERTS) {
      if (now.has(alert) && !before.has(alert)) await this.#raise(alert, reading);
      if (!now.has(alert) && before.has(alert)) await deleteFact(db, toFactName(alert));
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
      if (!(await insertFact(trx, toFactName(alert), toIsoMoment(clock.now())))) return;
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
      '# HELP pavis_disk_free_bytes Free space of the disk of the data folder.',
      '# TYPE pavis_disk_free_bytes gauge',
      `pavis_disk_free_bytes ${last.freeBytes}`,
      '# HELP pavis_database_bytes Size of the database.',
      '# TYPE pavis_database_bytes gauge',
      `pavis_database_bytes ${last.databaseBytes}`,
      '# HELP pavis_storage_alert Whether an alert about storage is raised.',
      '# TYPE pavis_storage_alert gauge',
      ...STORAGE_ALERTS.map(
        (alert) => `pavis_storage_alert{alert="${alert}"} ${this.#raised?.has(alert) ? 1 : 0}`,
      ),
      '',
    ].join('\n');
  }
}

/** Each node has its own disk; the database is shared. */
const toFactName = (alert: StorageAlert): string =>
  alert === 'database_large' ? `storage ${alert}` : `storage ${alert} ${hostname()}`;
