import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { loadSecret, toConfig } from '../../src/config/index.ts';
import { isPassword } from '../../src/identity/users/password.ts';
import { hashKey } from '../../src/licensing/licences/index.ts';
import { openPlatform } from '../../src/modules/platform.ts';
import { createLogger } from '../../src/platform/log.ts';
import { completeFirstStart } from '../support/complete-first-start.ts';
import { run } from '../support/engines.ts';
import { bundleFirstStart } from '../support/first-start-bundle.ts';
import { dataFolder } from '../support/process.ts';

const CHILD = join(import.meta.dirname, '../support/first-start.ts');
const PAVIS_SECRET = 'a secret that is long enough for the tests';
const AT_ONCE = 2;

interface Place {
  /** The data folder; it does not exist yet. */
  folder: string;
  env: Record<string, string>;
  remove(): Promise<void>;
}

const bundle = dataFolder();
let program = '';
beforeAll(async () => {
  program = await bundleFirstStart(bundle.path);
});
afterAll(bundle.remove);

let made = 0;

function onSqlite(more: Record<string, string> = {}): Place {
  const parent = dataFolder();
  const folder = join(parent.path, 'data');
  const env = { PAVIS_DATA_DIR: folder, PAVIS_DEMO: 'on', ...more };
  return { folder, env, remove: async () => parent.remove() };
}

async function onPostgres(): Promise<Place> {
  const server = new URL(inject('templates').postgres);
  server.pathname = '/postgres';
  const name = `first_start_${process.pid}_${++made}`;
  await run(server.href, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const place = onSqlite({ PAVIS_SECRET, PAVIS_DATABASE_URL: url.href });
  return {
    ...place,
    async remove() {
      await place.remove();
      await run(server.href, `drop database ${name} with (force)`);
    },
  };
}

/** Runs a first start in a process, until it ends or is killed. */
async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [CHILD], {
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), PROGRAM: program, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const [code, signal] = await once(child, 'close');
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`ended with ${code}: ${errors}`);
  return { signal, steps: signal ? [] : (JSON.parse(output) as string[]) };
}

/** There is one administrator, who can sign in with the note, and everything else in the note exists. */
async function assertComplete({ folder, env }: Place): Promise<void> {
  const names = readdirSync(folder);
  expect(names.filter((name) => /draft|\.part$/.test(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['first-run.json', 'installation.json']));
  const note = JSON.parse(readFileSync(join(folder, 'first-run.json'), 'utf8'));
  expect(note).toMatchObject({
    base_url: expect.any(String),
    customer: { email: expect.stringContaining('@') },
  });
  const config = toConfig(env);
  const log = await createLogger('silent');
  const platform = await openPlatform(config, { secret: loadSecret(config), log });
  const { db } = platform.datastore;
  const users = await db.selectFrom('users').select(['login', 'password_hash']).execute();
  expect(users.map(({ login }) => login)).toEqual([note.admin.login]);
  expect(await isPassword(note.admin.password, users[0]?.password_hash)).toBe(true);
  const passwords = await db.selectFrom('application_passwords').select('id').execute();
  expect(passwords).toHaveLength(1);
  const keys = await db.selectFrom('licence_keys').select('key_hash').execute();
  const known = note.licences.map(({ key }: { key: string }) => hashKey(platform, key));
  expect(keys.map((row) => row.key_hash).toSorted()).toEqual(known.toSorted());
  expect(await db.selectFrom('scripts').select('id').execute()).not.toEqual([]);
  await platform.datastore.close();
}

/**
 * Before and after changes of files, and before and after commits, evenly from both: between them a killed
 * process leaves the same as just before the next. Half of the moments are of files, which no transaction undoes.
 */
function pickMoments(steps: string[], count: number): number[] {
  const picked = new Set<number>();
  const pick = (kind: string, upTo: number) => {
    const edges = steps.flatMap((each, at) => (each === kind ? [at, at + 1] : []));
    for (let n = 0; n < edges.length && picked.size < upTo; n++) {
      const next = Math.floor((n * 0.618_034 * edges.length) % edges.length);
      picked.add(Math.min(edges[next] ?? 0, steps.length - 1));
    }
  };
  pick('file', Math.ceil(count / 2));
  pick('commit', count);
  // Fills up with the remaining moments.
  for (let n = 0; picked.size < count; n++) {
    picked.add(Math.floor((n * 0.618_034 * steps.length) % steps.length));
  }
  return [...picked];
}

/** Completes what a killed first start has left, in several places at once. */
async function completeEach<T>(moments: T[], complete: (moment: T) => Promise<void>) {
  const waiting = [...moments];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        await complete(at).catch((error) => {
          throw new Error(`killed before step ${at}: ${error.message}`);
        });
      }
    }),
  );
}

/** Hashes what a folder holds, without the index of SQLite's log, which the next process makes anew. */
function hashFolder(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (name.endsWith('-shm')) continue;
    const file = join(folder, name);
    const content = statSync(file).isFile() ? readFileSync(file) : '';
    hash.update(`${JSON.stringify(name)} ${content.length} `).update(content);
  }
  return hash.digest('hex');
}

describe('a first start that is killed', () => {
  it.each([
    ['on SQLite with a secret of its own', 8, async () => onSqlite()],
    ['on SQLite with PAVIS_SECRET', 8, async () => onSqlite({ PAVIS_SECRET })],
    ['on PostgreSQL with PAVIS_SECRET and no data folder', 30, onPostgres],
  ])(
    '%s is completed by the next start, at each of %d moments',
    async (_where, count, makePlace) => {
      const whole = await makePlace();
      const { steps } = await start(whole.env);
      await assertComplete(whole);
      await whole.remove();

      let killed = 0;
      await completeEach(pickMoments(steps, count), async (at) => {
        const place = await makePlace();
        const { signal } = await start({ ...place.env, KILL_BEFORE: String(at) });
        if (signal === 'SIGKILL') killed++;
        await completeFirstStart(place.env);
        await assertComplete(place);
        await place.remove();
      });
      expect(killed).toBe(count);
    },
    300_000,
  );

  // Every file and every commit, which only SQLite lets one copy in the middle.
  it.each([
    ['with a secret of its own', {}],
    ['with PAVIS_SECRET', { PAVIS_SECRET }],
  ])(
    'on SQLite %s is completed from what it has left at any moment',
    async (_where, more) => {
      const whole = onSqlite(more);
      const copies = dataFolder();
      const { steps } = await start({ ...whole.env, COPY_TO: copies.path });
      await assertComplete(whole);
      const moments = readdirSync(copies.path).map(Number);
      const changes = steps.filter((kind) => kind !== 'statement').length;
      expect(moments.length).toBeGreaterThanOrEqual(changes);
      // Half of the moments leave the same as the one before, for example before a commit and before its statements.
      const distinct = new Map(moments.map((at) => [hashFolder(join(copies.path, `${at}`)), at]));
      await completeEach([...distinct.values()], async (at) => {
        const folder = join(copies.path, String(at));
        const env = { ...whole.env, PAVIS_DATA_DIR: folder };
        await completeFirstStart(env);
        await assertComplete({ folder, env, remove: async () => {} });
      });
      await whole.remove();
      copies.remove();
    },
    300_000,
  );
});
