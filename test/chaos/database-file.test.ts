import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dataFolder, pavisJson, type ServerProcess, startServer } from '../support/process.ts';

const SITE = 'https://shop.example.org';
const UNAVAILABLE = { error: 'service_unavailable', message: expect.any(String) };
const siteUrl = (n: number) => `https://site-${n}.example.org`;

describe('the database file of a running server', () => {
  let folder: ReturnType<typeof dataFolder>;
  let file: string;
  let env: Record<string, string>;
  let server: ServerProcess;
  let key: string;
  let id: string;

  beforeEach(async () => {
    folder = dataFolder();
    file = join(folder.path, 'pavis.db');
    env = { PAVIS_DATA_DIR: folder.path };
    server = await startServer(env);
    const issue = ['licence', 'issue', '--email', 'a@example.org', '--tier', 'agency'];
    ({ key, id } = await pavisJson([...issue, '--sites', '1000', '--days', '30'], env));
  });
  afterEach(async () => {
    await server?.stop('SIGKILL');
    folder.remove();
  });

  const activate = (site: string) => server.http.site('activate', key, site);
  const validate = () => server.http.site('validate', key, SITE);
  /** The cache alone would keep the old state for minutes. */
  const eventually = (check: () => Promise<void>) =>
    vi.waitFor(check, { timeout: 30_000, interval: 20 });

  async function activeSites(): Promise<string[]> {
    const { activations } = await pavisJson(['licence', 'show', id], env);
    return activations.map(({ site_url }: { site_url: string }) => site_url);
  }

  /** Reads and writes work, and no rejected write was stored. */
  async function expectWorking(): Promise<void> {
    expect((await server.http.get('/health')).status).toBe(200);
    expect((await server.http.get('/readyz')).status).toBe(200);
    expect((await activate(SITE)).status).toBe(200);
    expect((await validate()).json).toMatchObject({ valid: true, site_active: true });
    expect(server.child.exitCode).toBe(null);
  }

  it('returns 503 while the file is missing, still validates known keys, and recovers when it is back', async () => {
    // Notifications of the command line's writes clear the cache with a delay.
    for (const start = performance.now(); performance.now() - start < 500; ) {
      expect((await validate()).status).toBe(200);
    }
    renameSync(file, `${file}.away`);
    for (let n = 0; n < 5; n++) {
      const refused = await activate(siteUrl(n));
      expect([refused.status, refused.json]).toEqual([503, UNAVAILABLE]);
    }
    const health = await server.http.get('/health');
    expect([health.status, health.json]).toEqual([503, UNAVAILABLE]);
    expect((await server.http.get('/readyz')).status).toBe(503);
    expect((await server.http.get('/livez')).status).toBe(200);
    expect((await validate()).json.valid).toBe(true);
    const unknown = await server.http.site('validate', `pv_live_${'x'.repeat(32)}`, SITE);
    expect(unknown.status).toBe(503);

    renameSync(`${file}.away`, file);
    await expectWorking();
    expect(await activeSites()).toEqual([SITE]);
  });

  it('loses no acknowledged write when the file goes and comes back under load, and blocks nothing', async () => {
    const acknowledged: string[] = [];
    const told = new Set<number>();
    let going = true;
    async function caller(n: number): Promise<void> {
      for (let round = 0; going; round++) {
        const site = siteUrl(100 * n + round);
        const { status } = await activate(site);
        told.add(status);
        if (status === 200) acknowledged.push(site);
      }
    }
    const callers = Promise.all([1, 2, 3, 4].map(caller));
    for (let times = 0; times < 60; times++) {
      await wait(5);
      renameSync(file, `${file}.away`);
      await wait(2);
      renameSync(`${file}.away`, file);
    }
    going = false;
    await callers;
    expect([...told].toSorted()).toEqual([200, 503]);
    await expectWorking();
    expect(await activeSites()).toEqual(expect.arrayContaining([...acknowledged, SITE]));
  });

  it.each(['at once', 'after it was overwritten with rubbish'])(
    'is used from the new file when it is replaced by a backup %s',
    async (when) => {
      // Checkpoint, so that a copy of the file is complete.
      const db = new DatabaseSync(file);
      db.exec('pragma wal_checkpoint(truncate)');
      db.close();
      copyFileSync(file, `${file}.backup`);
      expect((await activate(SITE)).status).toBe(200);
      expect((await validate()).json.sites_used).toBe(1);

      if (when !== 'at once') {
        writeFileSync(`${file}.rubbish`, 'no database '.repeat(1_000));
        renameSync(`${file}.rubbish`, file);
        await eventually(async () => expect((await activate(SITE)).status).toBe(503));
        expect((await server.http.get('/health')).status).toBe(503);
        expect((await activate(SITE)).status).toBe(503);
      }
      renameSync(`${file}.backup`, file);
      await eventually(async () =>
        expect((await validate()).json).toMatchObject({ valid: true, sites_used: 0 }),
      );
      expect(await activeSites()).toEqual([]);
      await expectWorking();
      expect(await activeSites()).toEqual([SITE]);
    },
  );

  it.each([1, 10])(
    'is waited for by %d activations while another process locks it, and other requests do not wait',
    async (count) => {
      let [slowest, took] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      // A busy machine can stop this process or the server for a moment, so the best of three turns counts.
      for (let turn = 0; turn < 3 && (slowest >= 500 || took >= 4_000); turn++) {
        const other = new DatabaseSync(file);
        other.exec('begin immediate');
        const held = wait(1_500).then(() => other.exec('commit'));
        const start = performance.now();
        const asked = Promise.all(
          Array.from({ length: count }, (_, n) => activate(siteUrl(turn * count + n))),
        );
        slowest = 0;
        while (other.isTransaction) {
          const asks = performance.now();
          expect((await server.http.get('/livez')).status).toBe(200);
          slowest = Math.max(slowest, performance.now() - asks);
        }
        await held;
        other.close();
        const statuses = (await asked).map(({ status }) => status);
        expect(statuses).toEqual(Array(count).fill(200));
        took = performance.now() - start;
      }
      expect(Math.round(slowest)).toBeLessThan(500);
      expect(took).toBeLessThan(4_000);
      await expectWorking();
    },
  );
});
