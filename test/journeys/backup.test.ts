import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  dataFolder,
  pavis,
  pavisJson,
  runShell,
  type ServerProcess,
  startServer,
} from '../support/process.ts';
import { signIn } from '../support/users.ts';

const MAIN = join(import.meta.dirname, '../../bin/pavis.js');
/** The user nobody of Linux. */
const NOBODY = 65_534;
const SITE = 'https://shop.example.org';
const ISSUE = 'licence issue --email a@example.org --tier pro --sites 9999 --days 9'.split(' ');
const siteUrl = (n: number) => `https://site-${n}.example.org`;

describe('a backup of the embedded database', () => {
  let folder: ReturnType<typeof dataFolder>;
  let other: ReturnType<typeof dataFolder>;
  let env: Record<string, string>;
  let database: string;
  let backup: string;
  let server: ServerProcess | undefined;
  beforeEach(() => {
    folder = dataFolder();
    other = dataFolder();
    env = { PAVIS_DATA_DIR: folder.path };
    database = join(folder.path, 'pavis.db');
    backup = join(other.path, 'monday.db');
  });
  afterEach(async () => {
    await server?.stop('SIGKILL');
    server = undefined;
    folder.remove();
    other.remove();
  });

  const issue = () => pavisJson(ISSUE, env);
  const sitesOf = async (id: string): Promise<string[]> =>
    (await pavisJson(['licence', 'show', id], env)).activations.map(
      ({ site_url }: { site_url: string }) => site_url,
    );
  async function refused(args: string[], more: Record<string, string> = {}): Promise<string> {
    const { code, stdout, stderr } = await pavis([...args, '--json'], { ...env, ...more });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^pavis: [^\n]+\n$/);
    return stderr;
  }
  function isWhole(file: string): boolean {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      return db.prepare('pragma integrity_check').get()?.integrity_check === 'ok';
    } finally {
      db.close();
    }
  }

  it('contains every activation that was acknowledged before it, under load, and restores them', async () => {
    server = await startServer(env);
    const { http } = server;
    const { id, key } = await issue();
    const acknowledged: string[] = [];
    let going = true;
    const callers = [1, 2, 3, 4].map(async (n) => {
      for (let round = 0; going; round++) {
        const site = siteUrl(1_000 * n + round);
        expect((await http.site('activate', key, site)).status).toBe(200);
        acknowledged.push(site);
      }
    });
    while (acknowledged.length < 50) await turn();
    const before = [...acknowledged];
    const made = await pavisJson(['backup', backup], env);
    going = false;
    await Promise.all(callers);
    expect(acknowledged.length).toBeGreaterThan(before.length);
    expect(made).toEqual({
      file: backup,
      bytes: statSync(backup).size,
      schema: expect.stringMatching(/^\d{3}-/),
      consent_log: null,
      keep: [{ path: join(folder.path, 'secret'), why: expect.any(String) }],
    });
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(isWhole(backup)).toBe(true);
    expect(readdirSync(other.path)).toEqual(['monday.db']);

    await http.site('activate', key, SITE);
    expect(await refused(['restore', backup])).toContain('is in use: stop the server');
    expect((await http.site('validate', key, SITE)).json.site_active).toBe(true);
    await server.stop();
    const present = await sitesOf(id);
    const restored = await pavisJson(['restore', backup], env);
    expect(restored).toEqual({
      database,
      file: backup,
      aside: expect.any(String),
      pending: [],
      reapplied: null,
      reapply_error: null,
    });
    const back = await sitesOf(id);
    expect(back).toEqual(expect.arrayContaining(before));
    expect(back).not.toContain(SITE);
    expect(statSync(database).mode & 0o777).toBe(0o600);
    expect(isWhole(restored.aside)).toBe(true);

    server = await startServer(env);
    expect((await server.http.site('validate', key, siteUrl(1_000))).json).toMatchObject({
      valid: true,
      site_active: true,
    });
    await server.stop();
    await pavisJson(['restore', restored.aside], env);
    expect(await sitesOf(id)).toEqual(present);
  });

  it('restores an installation into an empty folder that has its secret', async () => {
    const { id } = await issue();
    await pavisJson(['backup', backup], env);
    const empty = dataFolder();
    const there = { PAVIS_DATA_DIR: empty.path };
    expect(await refused(['restore', backup], there)).toContain('a secret that is not here');
    expect(readdirSync(empty.path)).toEqual([]);
    copyFileSync(join(folder.path, 'secret'), join(empty.path, 'secret'));
    expect(await pavisJson(['restore', backup], there)).toMatchObject({ aside: null });
    expect((await pavisJson(['licence', 'show', id], there)).id).toBe(id);
    const log = join(empty.path, 'log/consent-log.db');
    expect((await pavis(['restore', backup], there)).stdout).toContain(
      `There is no consent log (${log}). If there was one, put its latest copy there before`,
    );
    empty.remove();
  });

  it('signs everybody out when it is restored, and says that revoked access is valid again', async () => {
    await issue();
    const user = ['user', 'create', 'ada', '--email', 'ada@example.org', '--role', 'administrator'];
    const { login, password } = await pavisJson(user, env);
    const { token } = await pavisJson(['customer', 'token', 'a@example.org'], env);
    server = await startServer(env);
    const { cookie } = await signIn(server.http, { login, password });
    const read = async () => [
      (await server?.http.get('/console/session', { headers: { cookie } }))?.status,
      (
        await server?.http.get('/customer/licences', {
          headers: { authorization: `Bearer ${token}` },
        })
      )?.status,
    ];
    expect(await read()).toEqual([200, 200]);
    await pavisJson(['backup', backup], env);
    await server.stop();
    const { stdout } = await pavis(['restore', backup], env);
    expect(stdout).toMatch(/revoked, .* since the backup is valid again/);
    expect(stdout).toContain('All users and customers have been signed out.');
    server = await startServer(env);
    expect(await read()).toEqual([401, 401]);
  });

  it('revokes the token of a customer who has signed out everywhere since the backup', async () => {
    await issue();
    await pavisJson(['backup', backup], env);
    server = await startServer(env);
    const getToken = async () =>
      (await pavisJson(['customer', 'token', 'a@example.org'], env)).token;
    const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const everywhere = await server.http.post(
      '/auth/sign-out-everywhere',
      withToken(await getToken()),
    );
    expect(everywhere.status).toBeLessThan(300);
    const token = await getToken();
    const read = async () =>
      (await server?.http.get('/customer/licences', withToken(token)))?.status;
    expect(await read()).toBe(200);
    await server.stop();
    await pavis(['restore', backup], env);
    server = await startServer(env);
    expect(await read()).toBe(401);
  });

  it('gives a customer who was issued a licence after a restore no token of a lost customer', async () => {
    await issue();
    await pavisJson(['backup', backup], env);
    const issueTo = (email: string) =>
      pavisJson(['licence', 'issue', '--email', email, '--tier', 'pro', '--perpetual'], env);
    const read = (token: string) =>
      server?.http.get('/customer/licences', { headers: { authorization: `Bearer ${token}` } });
    await issueTo('lost@example.org');
    const { token } = await pavisJson(['customer', 'token', 'lost@example.org'], env);
    await pavisJson(['restore', backup], env);
    await issueTo('new@example.org');
    const { token: ofNew } = await pavisJson(['customer', 'token', 'new@example.org'], env);
    server = await startServer(env);
    expect([(await read(token))?.status, (await read(ofNew))?.status]).toEqual([401, 200]);
  });

  it('is made without the secret of the server, and says that it belongs to the backup', async () => {
    const secret = 'the secret that only the environment of the server has';
    const { id } = await pavisJson(ISSUE, { ...env, PAVIS_SECRET: secret });
    const before = readdirSync(folder.path);
    const { keep } = await pavisJson(['backup', backup], env);
    expect(keep[0]).toEqual({
      path: 'PAVIS_SECRET',
      why: expect.stringContaining('does not have'),
    });
    expect(readdirSync(folder.path)).toEqual(before);
    expect(await refused(['licence', 'list'])).toContain('there is no secret');
    expect(readdirSync(folder.path)).toEqual(before);
    const withSecret = { ...env, PAVIS_SECRET: secret };
    const { events } = await pavisJson(['security-log', 'list'], withSecret);
    expect(events[0].details).toMatchObject({ what: 'database_backup' });
    await pavisJson(['restore', backup], withSecret);
    expect((await pavisJson(['licence', 'show', id], withSecret)).id).toBe(id);
  });

  it('overwrites no other file, and an earlier backup only with --force', async () => {
    expect(await refused(['backup', backup])).toContain('there is no file');
    expect(existsSync(database)).toBe(false);
    await issue();
    await pavisJson(['backup', backup], env);
    const first = statSync(backup).ino;
    expect(await refused(['backup', backup])).toContain('--force');
    expect(statSync(backup).ino).toBe(first);
    await pavisJson(['backup', backup, '--force'], env);
    expect(statSync(backup).ino).not.toBe(first);
    for (const own of [database, join(folder.path, 'secret'), folder.path]) {
      const { ino } = statSync(own);
      await refused(['backup', own, '--force']);
      expect(statSync(own).ino).toBe(ino);
    }
    expect(await refused(['backup', folder.path])).toContain(`${folder.path} is a folder: add the`);
    const nowhere = join(other.path, 'nowhere');
    expect(await refused(['backup', join(nowhere, 'x.db')])).toBe(
      `pavis: there is no folder ${nowhere}: create it or choose another file\n`,
    );
    expect(readdirSync(other.path)).toEqual(['monday.db']);
  });

  it('replaces no backup of another installation', async () => {
    await issue();
    const elsewhere = dataFolder();
    const there = { PAVIS_DATA_DIR: elsewhere.path };
    await pavisJson(ISSUE, there);
    await pavisJson(['backup', backup], there);
    const before = readFileSync(backup);
    const said = await refused(['backup', backup, '--force']);
    expect(said).toBe(
      `pavis: ${backup} is the backup of another installation, which has another secret: choose another file, or delete this one if you no longer need it\n`,
    );
    expect(readFileSync(backup)).toEqual(before);
    expect(readdirSync(other.path)).toEqual(['monday.db']);
    await pavisJson(['backup', backup, '--force'], there);
    elsewhere.remove();
  });

  it('replaces no database of something else, and leaves nothing beside it', async () => {
    await issue();
    const foreign = join(other.path, 'foreign.db');
    for (const mode of ['delete', 'wal']) {
      rmSync(foreign, { force: true });
      const db = new DatabaseSync(foreign);
      db.exec(
        `pragma journal_mode = ${mode}; create table other (x); insert into other values (7)`,
      );
      db.close();
      const before = readFileSync(foreign);
      expect(await refused(['backup', foreign, '--force'])).toContain('is not a backup');
      expect(readFileSync(foreign)).toEqual(before);
      expect(readdirSync(other.path)).toEqual(['foreign.db']);
    }
    writeFileSync(foreign, `SQLite format 3\0${'no database '.repeat(1_000)}`);
    expect(await refused(['backup', foreign, '--force'])).toContain('is not a backup');
  });

  it('is not restored if it is damaged, of another installation, of a newer version, or made with another secret', async () => {
    const { id } = await issue();
    await pavisJson(['backup', backup], env);
    const bad = join(other.path, 'bad.db');
    const changed = (sql: string) => {
      copyFileSync(backup, bad);
      const db = new DatabaseSync(bad);
      db.exec(sql);
      db.close();
    };
    const before = statSync(database).ino;
    writeFileSync(bad, 'no database '.repeat(1_000));
    expect(await refused(['restore', bad])).toBe(
      `pavis: cannot use ${bad}: file is not a database. Check the name. If the file is a backup, it is damaged: restore an earlier one\n`,
    );
    copyFileSync(backup, bad);
    truncateSync(bad, statSync(bad).size - 8_192);
    expect(await refused(['restore', bad])).toBe(
      `pavis: cannot use ${bad}: database disk image is malformed. The file is damaged: restore an earlier backup\n`,
    );
    changed('drop table pavis_migrations');
    expect(await refused(['restore', bad])).toContain('no database of Pavis');
    changed(`insert into pavis_migrations values ('999-from-the-future', '2099-01-01')`);
    expect(await refused(['restore', bad])).toMatch(/newer version.*999-from-the-future/);
    expect(await refused(['restore', join(other.path, 'none.db')])).toContain('there is no file');
    expect(await refused(['restore', other.path])).toContain(`${other.path} is a folder: add`);
    const another = { PAVIS_SECRET: 'another secret of at least thirty-two bytes' };
    expect(await refused(['restore', backup], another)).toContain('another secret');
    expect(statSync(database).ino).toBe(before);
    expect(readdirSync(folder.path).filter((name) => /part|before/.test(name))).toEqual([]);
    expect((await pavisJson(['licence', 'show', id], env)).id).toBe(id);
  });

  it('replaces a damaged database with --force', async () => {
    const { id } = await issue();
    await pavisJson(['backup', backup], env);
    writeFileSync(database, 'no database '.repeat(1_000));
    expect(await refused(['restore', backup])).toContain('--force');
    const { aside } = await pavisJson(['restore', backup, '--force'], env);
    expect((await pavisJson(['licence', 'show', id], env)).id).toBe(id);
    expect(readFileSync(aside, 'latin1')).toContain('no database');
  });

  it.each([
    ['write-ahead log', '-wal', 'create table stray (x); delete from licence_keys; vacuum'],
    [
      'rollback journal',
      '-journal',
      // The small cache has SQLite write to the file before the commit.
      `pragma journal_mode = delete; pragma cache_size = 1; create table stray (x); begin;
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100)
          insert into stray select zeroblob(10000) from numbers;
        delete from licence_keys`,
    ],
  ])('is not combined with the %s of a deleted database', async (_, suffix, changes) => {
    const { id } = await issue();
    await pavisJson(['backup', backup], env);
    const db = new DatabaseSync(database);
    db.exec(changes);
    copyFileSync(database + suffix, join(other.path, 'leftover'));
    db.close();
    rmSync(database);
    copyFileSync(join(other.path, 'leftover'), database + suffix);
    await pavisJson(['restore', backup], env);
    expect((await pavisJson(['licence', 'show', id], env)).id).toBe(id);
    const tables = new DatabaseSync(database, { readOnly: true });
    const found = tables.prepare(`select name from sqlite_schema where name = 'stray'`).get();
    tables.close();
    expect(found).toBeUndefined();
    expect(isWhole(database)).toBe(true);
  });

  it('leaves no partial file under its name when it is killed', async () => {
    await pavisJson(['seed', '--consents', '60000'], env);
    const parts = () => readdirSync(other.path).filter((name) => name.endsWith('.part'));
    for (const isFirst of [true, false]) {
      if (!isFirst) await pavisJson(['backup', backup], env);
      const child = spawn(process.execPath, [MAIN, 'backup', backup, '--force'], {
        env: { PATH: process.env.PATH, ...env },
        stdio: 'ignore',
      });
      const known = parts().length;
      while (parts().length === known && child.exitCode === null) await turn();
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(child.signalCode).toBe('SIGKILL');
      expect(existsSync(backup)).toBe(!isFirst);
      expect(parts().length).toBe(known + 1);
    }
    expect(isWhole(backup)).toBe(true);
    // As old as if it had been left yesterday.
    const [old = ''] = parts();
    const mine = join(other.path, 'notes.part');
    writeFileSync(mine, 'of another program');
    for (const path of [join(other.path, old), mine]) utimesSync(path, 0, 0);
    const tuesday = join(other.path, 'tuesday.db');
    expect((await pavisJson(['backup', tuesday], env)).file).toBe(tuesday);
    expect(parts()).toHaveLength(2);
    expect(parts()).not.toContain(old);
    expect(existsSync(mine)).toBe(true);
    expect((await pavisJson(['backup', backup, '--force'], env)).file).toBe(backup);
  });

  it('leaves nothing behind and names the folder when there is no space for it', async () => {
    await issue();
    const { code, stderr } = await runShell(
      `ulimit -f 200; exec node ${MAIN} backup ${backup}`,
      env,
    );
    expect([code, stderr]).toEqual([
      1,
      `pavis: cannot copy ${database} to ${other.path}: disk I/O error\n`,
    ]);
    expect(readdirSync(other.path)).toEqual([]);
  });

  it.runIf(process.platform !== 'win32')(
    'names the user who cannot read it, or write to its folder',
    async () => {
      await issue();
      await pavisJson(['backup', backup], env);
      const isRoot = process.getuid?.() === 0;
      const uid = isRoot ? NOBODY : process.getuid?.();
      // Root, who may read all files, becomes another user. Others lose their rights.
      if (isRoot)
        for (const name of ['', ...readdirSync(folder.path)])
          chownSync(join(folder.path, name), NOBODY, NOBODY);
      chmodSync(backup, isRoot ? 0o600 : 0);
      chmodSync(other.path, 0o555);
      const says = (...args: string[]) =>
        spawnSync(process.execPath, [MAIN, ...args], {
          env: { PATH: process.env.PATH, ...env },
          encoding: 'utf8',
          ...(isRoot && { uid, gid: uid }),
        }).stderr;
      expect(says('restore', backup)).toBe(
        `pavis: user ${uid}, who runs Pavis, cannot read ${backup}. As root, copy it into ${folder.path}, give the copy the owner of that folder, and restore the copy\n`,
      );
      expect(says('backup', join(other.path, 'tuesday.db'))).toBe(
        `pavis: cannot write to ${other.path}: EACCES: permission denied. Let this user write there, or use another folder\n`,
      );
      chmodSync(other.path, 0);
      expect(says('backup', join(other.path, 'tuesday.db'))).toMatch(
        /^pavis: cannot use \S+tuesday\.db: EACCES: permission denied, [^\n]+\. Let this user write there, or use another folder\n$/,
      );
      chmodSync(other.path, 0o700);
      if (!isRoot) return;
      const copy = join(folder.path, 'copy.db');
      copyFileSync(backup, copy);
      chownSync(copy, NOBODY, NOBODY);
      expect(says('restore', copy)).toBe('');
    },
  );

  it('refers to the tools of PostgreSQL', async () => {
    const postgres = { PAVIS_DATABASE_URL: 'postgres://pavis:hush-hush@127.0.0.1:1/pavis' };
    for (const args of [
      ['backup', backup],
      ['restore', backup],
    ]) {
      const line = await refused(args, postgres);
      // Without --clean, which leaves tables of later versions.
      expect(line).toMatch(
        /pg_dump .*stop Pavis, .*dropdb and "createdb --owner=OWNER --encoding=UTF8 --template=template0", .*"pg_restore --exit-on-error --single-transaction --no-owner --dbname=/,
      );
      expect(line).not.toContain('hush-hush');
    }
  });
});
