import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { client, type HttpClient } from '../support/client.ts';
import {
  dataFolder,
  pavis,
  pavisJson,
  type ServerProcess,
  startServer,
} from '../support/process.ts';

const EMAIL = 'wilhelmina.quast@erased.example';
const NAME = 'Wilhelmina';

describe('an erased person', () => {
  let folder: ReturnType<typeof dataFolder>;
  let other: ReturnType<typeof dataFolder>;
  let env: Record<string, string>;
  let server: ServerProcess | undefined;
  beforeEach(() => {
    folder = dataFolder();
    other = dataFolder();
    env = { PAVIS_DATA_DIR: folder.path };
  });
  afterEach(async () => {
    await server?.stop('SIGKILL');
    server = undefined;
    folder.remove();
    other.remove();
  });

  /** The files of a folder that contain a text. */
  function filesWith(text: string, path = folder.path): string[] {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const file = join(path, entry.name);
      if (entry.isDirectory()) return filesWith(text, file);
      // Earlier copies of the database are named as such; the operator deletes them.
      return entry.isFile() &&
        !entry.name.includes('before-restore') &&
        readFileSync(file).includes(text)
        ? [file]
        : [];
    });
  }
  const databaseUrl = () => `sqlite:${join(folder.path, 'pavis.db')}`;
  const anybody = () => [...filesWith(EMAIL), ...filesWith(NAME)];
  const mails = () => {
    const path = join(folder.path, 'mail');
    return existsSync(path)
      ? readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'))
      : [];
  };

  async function erase(http: HttpClient, backup: string): Promise<string> {
    const body = { request_type: 'deletion', email: EMAIL, first_name: NAME };
    const { json } = await http.post('/wp-json/svc/v1/dsar/intake', { body });
    await expect.poll(() => mails().length).toBe(1);
    expect(anybody().length).toBeGreaterThan(0);
    await pavisJson(['backup', backup], env);
    await pavisJson(['dsar', 'set-status', json.reference, 'in_progress'], env);
    await pavisJson(['dsar', 'approve', json.reference], env);
    await pavisJson(
      ['dsar', 'set-status', json.reference, 'completed', '--reason', 'It is done.'],
      env,
    );
    return json.reference;
  }

  it('is in no file of the data folder, and stays erased after a restore', async () => {
    server = await startServer(env);
    const backup = join(other.path, 'before.db');
    const reference = await erase(client(server.url), backup);
    await expect.poll(anybody).toEqual([]);
    expect(mails().some((mail) => mail.includes(reference))).toBe(true);
    await server.stop();
    expect(anybody()).toEqual([]);

    expect(filesWith(EMAIL, other.path)).toEqual([backup]);
    const restored = await pavisJson(['restore', backup], env);
    expect(restored.reapplied).toMatchObject({ requests: 1, erasures: expect.any(Number) });
    expect(anybody()).toEqual([]);
    expect(await pavisJson(['dsar', 'reapply-erasures'], env)).toEqual({
      ...{ erasures: 0, records: 0, requests: 0 },
    });
    const shown = await pavisJson(['dsar', 'show', reference], env);
    expect(shown).toMatchObject({ status: 'completed', email: null });
  }, 120_000);

  it('is erased at start if the database was restored by other means', async () => {
    server = await startServer(env);
    const backup = join(other.path, 'before.db');
    await erase(client(server.url), backup);
    await expect.poll(anybody).toEqual([]);
    await server.stop();
    // A backup from before the email was sent.
    const database = new DatabaseSync(backup);
    database
      .prepare(
        "update outbox_mails set status = 'sending', ended_at = null, due_at = 0, body_text = ?",
      )
      .run(`Hello ${NAME}`);
    database.close();
    copyFileSync(backup, join(folder.path, 'pavis.db'));
    expect(anybody().length).toBeGreaterThan(0);
    server = await startServer(env);
    await expect.poll(anybody).toEqual([]);
    expect(mails().filter((mail) => mail.includes(EMAIL))).toEqual([]);
  }, 120_000);

  it('stays deleted as a customer after a restore', async () => {
    const licence = ['licence', 'issue', '--email', EMAIL, '--tier', 'pro', '--sites', '1'];
    const { id } = await pavisJson([...licence, '--days', '30'], env);
    await pavisJson(['licence', 'revoke', id], env);
    const backup = join(other.path, 'before.db');
    await pavisJson(['backup', backup], env);
    await pavisJson(['customer', 'delete', EMAIL], env);
    const restored = await pavisJson(['restore', backup], env);
    expect(restored.reapplied.erasures).toBeGreaterThan(0);
    const again = await pavis(['customer', 'delete', EMAIL], env);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('No customer has')]);
    expect(anybody()).toEqual([]);
  });

  it('is named as not erased by a restore if the list has a line that is no erasure', async () => {
    const licence = ['licence', 'issue', '--email', EMAIL, '--tier', 'pro', '--sites', '1'];
    const { id } = await pavisJson([...licence, '--days', '30'], env);
    await pavisJson(['licence', 'revoke', id], env);
    const backup = join(other.path, 'before.db');
    await pavisJson(['backup', backup], env);
    await pavisJson(['customer', 'delete', EMAIL], env);
    const list = join(folder.path, 'erasures.jsonl');
    const listed = readFileSync(list, 'utf8');
    writeFileSync(list, `null${listed}`);
    const reason = `line 1 of ${list} is not an erasure`;

    const text = await pavis(['restore', backup], env);
    expect([text.code, text.stdout]).toEqual([
      1,
      expect.stringMatching(/restored from .*\nThe previous database is kept as .*before-restore-/),
    ]);
    expect(text.stderr).toMatch(
      /^pavis: the database was restored, but [^\n]+ not repeated: [^\n]+\n$/,
    );
    expect(text.stderr).toContain(reason);
    const { code, stdout } = await pavis(['restore', backup, '--json'], env);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      aside: expect.stringContaining('before-restore-'),
      reapplied: null,
      reapply_error: expect.stringContaining(reason),
    });
    const start = await pavis(['serve'], { ...env, PAVIS_DATABASE_URL: databaseUrl() });
    expect([start.code, start.stderr]).toEqual([1, expect.stringContaining(reason)]);

    writeFileSync(list, listed);
    expect((await pavisJson(['dsar', 'reapply-erasures'], env)).erasures).toBeGreaterThan(0);
    expect(anybody()).toEqual([]);
  });

  it('leaves a database that pavis compact can rewrite', async () => {
    server = await startServer(env);
    const done = await pavisJson(['compact'], env);
    expect(done).toEqual({
      database: join(folder.path, 'pavis.db'),
      bytes_before: expect.any(Number),
      bytes: expect.any(Number),
    });
    const { code, stderr } = await pavis(['compact'], {
      ...env,
      PAVIS_DATABASE_URL: 'postgres://a:b@c/d',
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('vacuumdb --full')]);
  });
});
