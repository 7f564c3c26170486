import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  dataFolder,
  pavis,
  pavisJson,
  runShell,
  type ServerProcess,
  startServer,
} from '../support/process.ts';

const MAIN = join(import.meta.dirname, '../../bin/pavis.js');
const CHOICES = 30;

describe('the copy of the consent log that a backup makes', () => {
  let folder: ReturnType<typeof dataFolder>;
  let other: ReturnType<typeof dataFolder>;
  let env: Record<string, string>;
  let backup: string;
  let copy: string;
  let log: string;
  let server: ServerProcess | undefined;
  beforeEach(() => {
    folder = dataFolder();
    other = dataFolder();
    env = { PAVIS_DATA_DIR: folder.path };
    backup = join(other.path, 'monday.db');
    copy = `${backup}.consent-log.db`;
    log = join(folder.path, 'log/consent-log.db');
  });
  afterEach(async () => {
    await server?.stop('SIGKILL');
    server = undefined;
    folder.remove();
    other.remove();
  });

  async function choose(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const body = { visitor_id: `visitor-${n}`, consent_action: 'accept_all' };
      expect((await server?.http.post('/wp-json/svc/v1/consent', { body }))?.status).toBe(200);
    }
  }
  const verify = () => pavisJson(['log', 'verify', '--deep'], env);
  /** Waits until the running server has logged this many choices. */
  const logged = (count: number) =>
    expect.poll(async () => (await verify()).consent_records.intact).toBe(count);

  it.each(['runs', 'was killed'])('is enough for a new machine if the server %s', async (state) => {
    server = await startServer(env);
    await choose(CHOICES);
    await logged(CHOICES);
    if (state === 'was killed') await server.stop('SIGKILL');
    const { consent_log, keep } = await pavisJson(['backup', backup], env);
    expect(consent_log).toEqual({ file: copy, bytes: statSync(copy).size });
    expect(keep.map(({ path }: { path: string }) => path)).toEqual([
      join(folder.path, 'secret'),
      copy,
    ]);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(readdirSync(other.path).toSorted()).toEqual(['monday.db', 'monday.db.consent-log.db']);
    await server.stop('SIGKILL');

    for (const name of readdirSync(folder.path)) {
      if (name !== 'secret') rmSync(join(folder.path, name), { recursive: true });
    }
    const restored = await pavis(['restore', backup], env);
    expect(restored.stdout).toContain(`${copy} is the copy that was made with this backup`);
    expect(existsSync(log)).toBe(false);
    mkdirSync(join(folder.path, 'log'));
    copyFileSync(copy, log);
    expect(await verify()).toMatchObject({ consent_records: { intact: CHOICES } });
    server = await startServer(env);
    await choose(1);
    await logged(CHOICES + 1);
  });

  it('is replaced with --force only, and no other file is', async () => {
    server = await startServer(env);
    await choose(1);
    await logged(1);
    writeFileSync(copy, 'something else');
    const refused = await pavis(['backup', backup], env);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--force')]);
    const other = await pavis(['backup', backup, '--force'], env);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('another file')]);
    expect(readFileSync(copy, 'utf8')).toBe('something else');
    expect(existsSync(backup)).toBe(false);
    rmSync(copy);
    await pavisJson(['backup', backup], env);
    const { ino } = statSync(copy);
    await pavisJson(['backup', backup, '--force'], env);
    expect(statSync(copy).ino).not.toBe(ino);
    // Without its backup, it may be of another installation.
    rmSync(backup);
    const alone = await pavis(['backup', backup, '--force'], env);
    expect([alone.code, alone.stderr]).toEqual([
      1,
      `pavis: ${copy}, the copy of the consent log, is there without its backup: move it away or choose another file\n`,
    ]);
    expect(existsSync(backup)).toBe(false);
    const own = await pavis(['backup', log, '--force'], env);
    expect([own.code, own.stderr]).toEqual([1, expect.stringContaining('is not a backup')]);
  });

  it('is named as missing if there is no space for it, and the database is backed up', async () => {
    await pavisJson(['seed', '--consents', '10'], env);
    mkdirSync(join(folder.path, 'log'));
    const db = new DatabaseSync(log);
    db.exec(
      'create table consent_log_head (x); insert into consent_log_head values (randomblob(20000000))',
    );
    db.close();
    // The backup fits, and the log does not.
    const { code, stdout, stderr } = await runShell(
      `ulimit -f 12000; exec node ${MAIN} backup ${backup} --json`,
      env,
    );
    expect([code, stderr]).toEqual([
      1,
      `pavis: the database was backed up, but not the consent log: cannot copy ${log} to ${other.path}: disk I/O error. Run the command again with --force, or stop the server and copy ${log} together with ${log}-wal, if there is one\n`,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ file: backup, consent_log: null });
    expect(readdirSync(other.path)).toEqual(['monday.db']);
    expect((await pavisJson(['backup', backup, '--force'], env)).consent_log.file).toBe(copy);
  });
});
