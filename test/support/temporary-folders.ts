import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Many times the size that all tests write. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** Where test files keep data: in memory, or on the disk. */
export interface TemporaryFolders {
  memory: string;
  disk: string;
}

/** Creates the folders of a run. `remove` also removes what killed processes and browsers have left in them. */
export function createTemporaryFolders(): { folders: TemporaryFolders; remove(): void } {
  const [memory, disk] = [findTemporaryRoot(), tmpdir()].map((root) => {
    const folder = mkdtempSync(join(root, 'pavis-run-'));
    // PostgreSQL runs as another user.
    chmodSync(folder, 0o755);
    return folder;
  }) as [string, string];
  return {
    folders: { memory, disk },
    remove() {
      for (const folder of [memory, disk]) {
        rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      }
    },
  };
}

/**
 * The folder for files of the tests: in memory if there is enough, because SQLite commits mostly wait for the
 * disk. Files in memory also survive a killed process.
 */
function findTemporaryRoot(): string {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^tmpfs \/dev\/shm tmpfs (\S+)/m);
    // Browsers and PostgreSQL run from there.
    if (!mount?.[1] || mount[1].split(',').includes('noexec')) return tmpdir();
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
