import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pavis } from '../support/process.ts';

const MAIN = join(import.meta.dirname, '../../bin/pavis.js');
const MEMORY = '/dev/shm';
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

describe('doctor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavis-doctor-'));
  chmodSync(folder, 0o755);
  const env = { PAVIS_SERVICES: 'licence', PAVIS_DEMO: 'off' };
  afterAll(() => rmSync(folder, { recursive: true }));

  const find = (stdout: string, name: string) =>
    stdout.split('\n').find((line) => line.includes(`  ${name}: `));

  /** Runs a command as a user for whom permissions count. */
  function runAsUser(args: string[], more: Record<string, string>) {
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    const set = { PATH: process.env.PATH, HOME: folder, ...env, ...more };
    return spawnSync(process.execPath, [MAIN, ...args], { env: set, encoding: 'utf8', ...user });
  }
  const diagnose = (more: Record<string, string>): string => runAsUser(['doctor'], more).stdout;
  const uid = isRoot ? NOBODY : process.getuid?.();

  it('says what to do about a data folder that cannot be written', () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o555 });
    const line = find(diagnose({ PAVIS_DATA_DIR: data }), 'data folder');
    expect(line).toBe(
      isRoot
        ? `FAIL  data folder: ${data} belongs to user 0, and user ${uid}, who runs Pavis, cannot write it. Run as root: chown -R ${uid} ${data}`
        : `FAIL  data folder: ${data} does not allow its owner to write. Run: chmod u+rwx ${data}`,
    );
    const below = join(data, 'a/b');
    expect(find(diagnose({ PAVIS_DATA_DIR: below }), 'data folder')).toBe(
      `FAIL  data folder: user ${uid}, who runs Pavis, cannot create or reach ${below}, because of the permissions of ${data}. Run as root: install -d -o ${uid} -m 0700 ${below}, or use another folder`,
    );
  });

  it.runIf(isRoot)('names what root has left in a data folder of another user (needs root)', () => {
    const data = join(folder, 'partly-of-root');
    mkdirSync(join(data, 'log'), { recursive: true });
    chownSync(data, NOBODY, NOBODY);
    for (const name of ['secret', 'pavis.db'])
      writeFileSync(join(data, name), 'x'.repeat(40), { mode: 0o600 });
    const describe = (path: string, use: string) =>
      `${path} belongs to user 0, and user ${uid}, who runs Pavis, cannot ${use} it. Run as root: chown -R ${uid} ${data}`;
    const lines = diagnose({ PAVIS_DATA_DIR: data });
    expect(find(lines, 'data folder')).toBe(
      `FAIL  data folder: ${describe(join(data, 'log'), 'write')}`,
    );
    expect(find(lines, 'secret')).toBe(
      `FAIL  secret: ${describe(join(data, 'secret'), 'read and write')}`,
    );
    chownSync(join(data, 'secret'), NOBODY, NOBODY);
    expect(find(diagnose({ PAVIS_DATA_DIR: data }), 'database')).toBe(
      `FAIL  database: ${describe(join(data, 'pavis.db'), 'read and write')}`,
    );
  });

  it('names the folder that cannot be searched', () => {
    const data = join(folder, 'closed');
    mkdirSync(join(data, 'below'), { recursive: true });
    writeFileSync(join(data, 'pavis.db'), '');
    chmodSync(data, isRoot ? 0o700 : 0);
    const secret = { PAVIS_SECRET: 'x'.repeat(40) };
    const reason = isRoot
      ? `${data} belongs to user 0, and user ${uid}, who runs Pavis, cannot write it. Run as root: chown -R ${uid} ${data}`
      : `${data} does not allow its owner to write. Run: chmod u+rwx ${data}`;
    const { status, stderr } = runAsUser(['user', 'list'], { PAVIS_DATA_DIR: data, ...secret });
    expect([status, stderr]).toEqual([1, `pavis: ${reason}\n`]);
    const below = join(data, 'below');
    expect(find(diagnose({ PAVIS_DATA_DIR: below, ...secret }), 'database')).toBe(
      `FAIL  database: user ${uid}, who runs Pavis, cannot create or reach ${below}, because of the permissions of ${data}. Let that user use ${data}, or use another folder`,
    );
    chmodSync(data, 0o700);
  });

  it('names a data folder that is a file', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o777);
    for (const data of [file, join(file, 'data')]) {
      expect(find(diagnose({ PAVIS_DATA_DIR: data }), 'data folder')).toBe(
        `FAIL  data folder: ${file} is a file, not a folder: remove it or use another folder`,
      );
    }
  });

  it('names the file of the secret that others can read', () => {
    const data = join(folder, 'open-secret');
    mkdirSync(data);
    writeFileSync(join(data, 'secret'), 'x'.repeat(40), { mode: 0o644 });
    if (isRoot) for (const each of [data, join(data, 'secret')]) chownSync(each, NOBODY, NOBODY);
    expect(find(diagnose({ PAVIS_DATA_DIR: data }), 'secret')).toBe(
      `FAIL  secret: ${data}/secret is readable by others. Run: chmod 600 ${data}/secret`,
    );
  });

  it('names variables that are not settings', () => {
    const set = { PAVIS_LEASE_DAY: '3', PAVIS_SMTP_URL_FILE: '', PAVIS_PORT: '9' };
    const lines = diagnose({ PAVIS_DATA_DIR: join(folder, 'named'), ...set });
    expect(find(lines, 'unknown settings')).toBe(
      'ok    unknown settings: PAVIS_LEASE_DAY: Pavis has no such setting. Check the spelling',
    );
    expect(find(diagnose({ PAVIS_DATA_DIR: join(folder, 'named') }), 'unknown settings')).toBe(
      undefined,
    );
  });

  it('says who must read the file of a secret', () => {
    const file = join(folder, 'secret');
    writeFileSync(file, 'x'.repeat(40), { mode: isRoot ? 0o600 : 0 });
    expect(find(diagnose({ PAVIS_SECRET_FILE: file }), 'settings')).toMatch(
      new RegExp(
        `^FAIL {2}settings: PAVIS_SECRET_FILE names a file that cannot be read \\(EACCES.*\\): give it to user ${uid}, `,
      ),
    );
  });

  it.runIf(isRoot)(
    'stops root from writing to the data folder of another user (needs root)',
    async () => {
      const data = join(folder, 'of-another-user');
      mkdirSync(data, { mode: 0o700 });
      writeFileSync(join(data, 'installation.json'), '{}');
      chownSync(join(data, 'installation.json'), NOBODY, NOBODY);
      const set = { ...env, PAVIS_DATA_DIR: data };
      const reason = `root runs this command, but user ${NOBODY} runs the server, and could not read what root writes to ${data}.`;
      const doctor = await pavis(['doctor'], set);
      expect(find(doctor.stdout, 'user')).toContain(`FAIL  user: ${reason}`);
      for (const command of [['user', 'list'], ['compact'], ['serve'], ['witness', 'list']]) {
        const { code, stderr } = await pavis(command, set, { timeoutMs: 10_000 });
        expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
      }
      expect(readdirSync(data)).toEqual(['installation.json']);
    },
  );

  it.skipIf(!existsSync(MEMORY))(
    'fails in production where data is in memory (needs /dev/shm)',
    async () => {
      const data = mkdtempSync(join(MEMORY, 'pavis-doctor-'));
      const line = async (more: object) =>
        find(
          (await pavis(['doctor'], { ...env, PAVIS_DATA_DIR: data, ...more })).stdout,
          'data folder',
        );
      expect(await line({ NODE_ENV: 'production' })).toMatch(
        new RegExp(`^FAIL {2}data folder: ${data} is in memory \\(tmpfs\\) and is lost`),
      );
      expect(await line({})).toBe(`ok    data folder: ${data} is writable`);
      rmSync(data, { recursive: true });
    },
  );

  it('fails in production with an https address and no trusted proxy', async () => {
    const line = async (more: object) => {
      const data = join(folder, 'proxy');
      const set = { ...env, PAVIS_DATA_DIR: data, PAVIS_BASE_URL: 'https://pavis.example.com' };
      return find((await pavis(['doctor'], { ...set, ...more })).stdout, 'proxy');
    };
    const production = { NODE_ENV: 'production' };
    expect(await line(production)).toMatch(
      /^FAIL {2}proxy: https:\/\/pavis\.example\.com needs a proxy .*Set PAVIS_TRUSTED_PROXIES/,
    );
    expect(await line({ ...production, PAVIS_TRUSTED_PROXIES: '127.0.0.1' })).toBe(
      'ok    proxy: PAVIS_TRUSTED_PROXIES is set',
    );
    expect(await line({})).toBe('ok    proxy: none detected in the last 7 days');
  });
});
