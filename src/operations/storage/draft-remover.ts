import { removeAbandonedDrafts } from '../../platform/durable-file.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import type { Logger } from '../../platform/log.ts';

/** The folder of the backups from before migrations, in the data folder. */
export const BACKUPS = 'backups';

/**
 * Removes what killed processes left in the folders that are written to, hourly. The draft of a backup or a restore is a copy of the
 * database, also of people who are erased later.
 */
export class DraftRemover {
  readonly #folders: readonly string[];
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;

  constructor(folders: readonly string[], log: Logger) {
    this.#folders = folders;
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
    for (const folder of this.#folders) {
      try {
        removeAbandonedDrafts(folder);
      } catch (err) {
        this.#log.warn({ err, folder }, 'cannot remove incomplete files from a folder');
      }
    }
  }
}
