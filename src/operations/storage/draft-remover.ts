import { join } from 'node:path';
import { removeAbandonedDrafts } from '../../platform/durable-file.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import type { Logger } from '../../platform/log.ts';

/** The folder of the backups from before migrations, in the data folder. */
export const BACKUPS = 'backups';

/**
 * Removes what killed processes left in the data folder, hourly. The draft of a backup or a restore is a copy of the
 * database, also of people who are erased later.
 */
export class DraftRemover {
  readonly #dataDir: string;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;

  constructor(dataDir: string, log: Logger) {
    this.#dataDir = dataDir;
    this.#log = log;
  }

  start(): void {
    this.#remove();
    this.#timer = setInterval(() => this.#remove(), HOUR_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }

  #remove(): void {
    try {
      for (const folder of [this.#dataDir, join(this.#dataDir, BACKUPS)])
        removeAbandonedDrafts(folder);
    } catch (err) {
      this.#log.warn({ err }, 'cannot remove incomplete files from the data folder');
    }
  }
}
