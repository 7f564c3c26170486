import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { client } from '../support/client.ts';
import { run } from '../support/engines.ts';
import { reservePort } from '../support/ports.ts';
import { dataFolder, spawnPavis } from '../support/process.ts';

const PAVIS_SECRET = 'one secret for all nodes, long enough';
const NODES = 3;

let made = 0;

async function emptyDatabase(): Promise<string> {
  const server = new URL(inject('templates').postgres);
  server.pathname = '/postgres';
  const name = `together_${process.pid}_${++made}`;
  await run(server.href, `create database ${name}`);
  onTestFinished(() => run(server.href, `drop database ${name} with (force)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

const running: { kill(signal: NodeJS.Signals): boolean }[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Starts a node, and reads its data folder as soon as `/readyz` returns 200. */
async function startNode(env: Record<string, string>) {
  const port = await reservePort();
  const { process: child } = spawnPavis(
    ['serve'],
    { PAVIS_DEMO: 'on', PAVIS_PORT: String(port), ...env },
    { timeoutMs: 120_000 },
  );
  running.push(child);
  let printed = '';
  child.stdout?.on('data', (text) => {
    printed += text;
  });
  const http = client(`http://127.0.0.1:${port}`);
  const file = join(env.PAVIS_DATA_DIR ?? '', 'first-run.json');
  let note: string | undefined;
  await vi.waitFor(
    async () => {
      expect((await http.get('/readyz')).status).toBe(200);
      note = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    },
    { timeout: 60_000, interval: 5 },
  );
  await expect.poll(() => printed).toContain('Demo site');
  return { http, file, note, printed: () => printed };
}

type Node = Awaited<ReturnType<typeof startNode>>;

async function assertSignsIn(nodes: Node[], note: string): Promise<void> {
  const { admin } = JSON.parse(note);
  for (const { http } of nodes) {
    expect((await http.post('/console/session', { body: admin })).status).toBe(200);
  }
}

describe('a node is not ready before the note and the administrator exist', () => {
  it('on SQLite', async () => {
    const folder = dataFolder();
    onTestFinished(folder.remove);
    const node = await startNode({ PAVIS_DATA_DIR: folder.path });
    await assertSignsIn([node], node.note ?? '{}');
  });

  it('on PostgreSQL, with a shared data folder for nodes that start together', async () => {
    const folder = dataFolder();
    onTestFinished(folder.remove);
    const url = await emptyDatabase();
    const env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: url, PAVIS_SECRET };
    const nodes = await Promise.all(Array.from({ length: NODES }, () => startNode(env)));
    expect(nodes.map(({ note }) => note !== undefined)).toEqual(nodes.map(() => true));
    expect(new Set(nodes.map(({ note }) => JSON.parse(note ?? '').admin.password)).size).toBe(1);
    for (const node of nodes) expect(node.printed()).toContain(node.file);
    await assertSignsIn(nodes, nodes[0]?.note ?? '');
  });

  it('on PostgreSQL, with a data folder per node: one has the note, the others refer to it', async () => {
    const url = await emptyDatabase();
    const nodes = await Promise.all(
      Array.from({ length: NODES }, () => {
        const folder = dataFolder();
        onTestFinished(folder.remove);
        const env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: url, PAVIS_SECRET };
        return startNode(env);
      }),
    );
    const [owner, ...more] = nodes.filter(({ file }) => existsSync(file));
    expect(more).toEqual([]);
    await assertSignsIn(nodes, owner?.note ?? '');
    for (const node of nodes) {
      if (node === owner) expect(node.printed()).toContain(node.file);
      else expect(node.printed()).toContain('in the data folder of the node that');
    }
  });
});
