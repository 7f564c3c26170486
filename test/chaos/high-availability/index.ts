/*
 * Builds what docs/guides/high-availability.md describes on this machine, breaks it under load, and checks that no
 * acknowledged write is lost: npm run high-availability
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildChangedFrontEnds } from '../../../web/build-changed.ts';
import { findUnprivilegedUser } from '../../support/postgres.ts';
import { type Owner, Programs } from './processes.ts';
import { rehearse } from './rehearse.ts';
import { Report } from './report.ts';

const NEEDED = ['haproxy', 'pgbouncer', 'patroni', 'etcd'];
const PACKAGES = 'haproxy pgbouncer patroni python3-etcd etcd-server postgresql';

/** The folder with the programs of the newest PostgreSQL from Debian; undefined if there is none. */
function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .toSorted((a, b) => b - a)
    : [];
  return versions
    .map((version) => join(root, String(version), 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')));
}

process.env.PATH = `${process.env.PATH}:/usr/sbin`;
const missing = NEEDED.filter((name) => spawnSync('which', [name]).status !== 0);
const binaries = findPostgres();
if (!binaries) missing.push('postgresql');
if (missing.length > 0 || !binaries) {
  process.stderr.write(`${missing.join(', ')} not found. On Debian: apt-get install ${PACKAGES}\n`);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'pavis-high-availability-'));
const owner: Owner = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined;
if (owner) {
  chmodSync(folder, 0o755);
  chownSync(folder, owner.uid, owner.gid);
}
mkdirSync(join(folder, 'data'), { mode: 0o700 });
const report = new Report();
const programs = new Programs(folder);
const closing: (() => unknown)[] = [];
async function close(): Promise<void> {
  for (const each of closing.splice(0).toReversed()) await each();
  await programs.end();
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(1)));
}
let isWell = false;
try {
  await buildChangedFrontEnds();
  await rehearse({ folder, owner, programs, binaries }, report, closing);
} catch (error) {
  report.check(false, 'the rehearsal runs to its end', (error as Error).stack);
} finally {
  await close();
  isWell = report.close();
  if (isWell) rmSync(folder, { recursive: true, force: true });
  else process.stdout.write(`The logs of all programs are in ${folder}\n`);
}
process.exit(isWell ? 0 : 1);
