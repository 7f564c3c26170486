import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** Many times what all tests write. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Where the tests keep what they write: in memory where the system offers enough of it, since most of what
 * SQLite does for a commit is to wait for the disk. A killed process loses nothing there either.
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
