import { readlinkSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'pavis-browser-';

/** The name contains the process ID of the owner. */
export const makeTemporaryFolder = (): Promise<string> =>
  mkdtemp(join(tmpdir(), `${PREFIX}${pidSpace()}-${process.pid}-`));

/** Removes folders of browsers whose process was killed: only of our user and PID namespace. */
export async function removeLeftFolders(): Promise<void> {
  const named = new RegExp(`^${PREFIX}${pidSpace()}-(\\d+)-\\w{6}$`);
  for (const name of await readdir(tmpdir())) {
    const pid = Number(named.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const folder = join(tmpdir(), name);
    const found = await lstat(folder).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

/** PID namespace: containers may share a temporary folder, but not process IDs. */
function pidSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
