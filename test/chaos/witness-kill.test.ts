import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import {
  appendHashes,
  createSigner,
  EMPTY_EDGE,
  formatCheckpoint,
  hashLeaf,
  proveConsistency,
} from '../../src/platform/transparency-log/index.ts';
import { dataFolder, pavis, spawnPavis } from '../support/process.ts';

const KILLS = 4;

const digest = (text: string) => createHash('sha256').update(text).digest();
const signer = createSigner('shop.example/pavis-consent', digest('log'));
const folder = dataFolder();
const env = { PAVIS_DATA_DIR: folder.path };
let running: ReturnType<typeof spawnPavis>['process'] | undefined;
afterAll(() => {
  running?.kill('SIGKILL');
  folder.remove();
});

async function startWitness(): Promise<string> {
  const { process: child } = spawnPavis(['witness', '--port', '0', '--json'], env, {
    timeoutMs: 60_000,
  });
  running = child;
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += chunk;
    if (printed.trimEnd().endsWith('}')) break;
  }
  return JSON.parse(printed).url;
}

/** A request to add a checkpoint of the first leaves. */
async function submit(url: string, leaves: readonly Buffer[], old: number, size: number) {
  const { root } = appendHashes(EMPTY_EDGE, Buffer.concat(leaves.slice(0, size)));
  const read = async (_level: number, _number: number, width: number) =>
    Buffer.concat(leaves.slice(0, width));
  const proof = await proveConsistency(read, old, size);
  const note = signer.sign(formatCheckpoint({ origin: signer.name, size, root }));
  const body = [`old ${old}`, ...proof.map((hash) => hash.toString('base64')), '', note];
  return fetch(`${url}/add-checkpoint`, { method: 'POST', body: body.join('\n') }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    () => undefined,
  );
}

it('A witness that is killed never cosigns two checkpoints that contradict each other', async () => {
  const added = await pavis(
    ['witness', 'add', signer.verifierKey, '--name', 'witness.example/w1'],
    env,
  );
  expect(added).toMatchObject({ code: 0 });
  let leaves: Buffer[] = [];
  let url = await startWitness();
  const outcomes = new Set<string>();
  for (let kill = 0; kill < KILLS; kill++) {
    const old = leaves.length;
    const one = [...leaves, hashLeaf(digest(`one ${kill}`))];
    const other = [...leaves, hashLeaf(digest(`other ${kill}`))];
    const answer = submit(url, one, old, one.length);
    await pause(kill * 2);
    running?.kill('SIGKILL');
    if (running) await once(running, 'exit');
    const first = await answer;

    url = await startWitness();
    const contradicting = await submit(url, other, old, other.length);
    if (first?.status === 200) expect(contradicting?.status).toBe(409);
    if (contradicting?.status === 200) {
      leaves = other;
      outcomes.add('not stored');
    } else {
      // It was stored before the kill, so the same checkpoint is still cosigned.
      expect(await submit(url, one, one.length, one.length)).toMatchObject({ status: 200 });
      expect((await submit(url, other, other.length, other.length))?.status).toBe(409);
      leaves = one;
      outcomes.add(first ? 'answered' : 'stored, not answered');
    }
  }
  expect(outcomes.size).toBeGreaterThan(0);
});
