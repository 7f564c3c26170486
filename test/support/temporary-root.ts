import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** Many times the size that all tests write. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * The folder for files of the tests: in memory if there is enough, because SQLite commits mostly wait for the
 * disk. Files in memory also survive a killed process.
 */
export function findTemporaryRoot(): string {
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
