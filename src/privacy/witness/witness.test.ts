import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createLogger } from '../../platform/log.ts';
import {
  appendHashes,
  createSigner,
  EMPTY_EDGE,
  formatCheckpoint,
  hashLeaf,
  openNote,
  parseVerifierKey,
  proveConsistency,
  type ReadTile,
} from '../../platform/transparency-log/index.ts';
import { createWitnessServer, openWitness, type Witness } from './index.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();
const signer = createSigner('shop.example/pavis-consent', digest('log'));

/** A log of up to 256 entries, which has one tile. */
function createLog(name: string, from: readonly Buffer[] = []) {
  const leaves = [
    ...from,
    ...Array.from({ length: 200 }, (_, at) => hashLeaf(digest(`${name}${at}`))),
  ];
  const read: ReadTile = async (_, __, width) => Buffer.concat(leaves.slice(0, width));
  const getRoot = (size: number) =>
    appendHashes(EMPTY_EDGE, Buffer.concat(leaves.slice(0, size))).root;
  const sign = (size: number, by = signer) =>
    by.sign(formatCheckpoint({ origin: signer.name, size, root: getRoot(size) }));
  return {
    leaves,
    sign,
    async submit(old: number, size: number, note = sign(size)): Promise<string> {
      const proof = await proveConsistency(read, Math.min(old, size), size);
      return [`old ${old}`, ...proof.map((hash) => hash.toString('base64')), '', note].join('\n');
    },
  };
}

describe('A witness', () => {
  let witness: Witness;
  let server: ReturnType<typeof createWitnessServer>;
  let url: string;
  const log = createLog('entry');
  const logged: string[] = [];
  const file = join(inject('temporary').disk, `witness-${process.pid}`, 'witness.db');

  async function post(body: string) {
    const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
    const type = response.headers.get('content-type');
    return { status: response.status, type, text: await response.text() };
  }

  beforeAll(async () => {
    witness = await openWitness(file, 'witness.example/w1');
    await witness.addLog(signer.verifierKey);
    const logger = await createLogger('info', { write: (line) => logged.push(line) });
    server = createWitnessServer(witness, logger);
    await server.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await server.close();
    await witness.close();
  });

  it('cosigns a log that grows, with the time', async () => {
    const key = parseVerifierKey(witness.verifierKey);
    for (const [old, size] of [
      [0, 3],
      [3, 100],
      [100, 100],
    ] as const) {
      const { status, text } = await post(await log.submit(old, size));
      expect(status).toBe(200);
      const { signatures } = openNote(log.sign(size) + text, [key]);
      expect(Math.abs((signatures[0]?.time ?? 0) - Date.now() / 1_000)).toBeLessThan(60);
    }
    expect(await witness.listLogs()).toMatchObject([{ origin: signer.name, size: 100 }]);
  });

  it('has its whole state in one file while it runs, also if an earlier version has written it', async () => {
    const copy = join(inject('temporary').disk, `witness-copy-${process.pid}`, 'witness.db');
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
    const old = new DatabaseSync(copy);
    old.exec('pragma journal_mode = wal');
    old.close();
    const copied = await openWitness(copy);
    const second = `${copy}.second`;
    expect(await copied.listLogs()).toEqual(await witness.listLogs());
    expect((await copied.addCheckpoint(await log.submit(100, 110), Date.now())).status).toBe(200);
    copyFileSync(copy, second);
    expect(existsSync(`${copy}-wal`)).toBe(false);
    const again = await openWitness(second);
    expect(await again.listLogs()).toMatchObject([{ size: 110 }]);
    await again.close();
    await copied.close();
  });

  it('answers 409 with the size that it knows', async () => {
    const { status, type, text } = await post(await log.submit(50, 120));
    expect({ status, type, text }).toEqual({
      status: 409,
      type: 'text/x.tlog.size',
      text: '100\n',
    });
    expect(logged).toEqual([]);
  });

  it('refuses a log that was rewritten, although its key has signed it, and logs that', async () => {
    const rewritten = createLog('other', log.leaves.slice(0, 90));
    const readReasons = () => logged.splice(0).map((line) => JSON.parse(line).reason);
    expect((await post(await rewritten.submit(100, 120))).status).toBe(422);
    expect(readReasons()).toEqual([expect.stringContaining('does not continue the log of 100')]);
    expect((await post(await rewritten.submit(100, 100))).status).toBe(409);
    expect(readReasons()).toEqual([expect.stringContaining('another root hash for the size 100')]);
    expect((await post(await log.submit(100, 101))).status).toBe(200);
  });

  it('refuses what it cannot read, other logs and other keys', async () => {
    const other = createSigner('unknown.example/log', digest('x'));
    const unknown = other.sign(formatCheckpoint({ origin: other.name, size: 0, root: digest('') }));
    const note = log.sign(110);
    const forged = log.sign(110, createSigner(signer.name, digest('stolen name')));
    expect((await post('')).status).toBe(400);
    expect((await post('old 101\n')).status).toBe(400);
    expect((await post(`old 01\n\n${note}`)).status).toBe(400);
    expect((await post(`old 101\nAAAA\n\n${note}`)).status).toBe(400);
    expect((await post(await log.submit(150, 110))).status).toBe(400);
    expect((await post(`old 0\n\n${unknown}`)).status).toBe(404);
    expect((await post(await log.submit(101, 110, forged))).status).toBe(403);
    expect((await post('x'.repeat(300_000))).status).toBe(413);
  });

  it('cosigns one of two requests that come at once', async () => {
    const bodies = await Promise.all([120, 130].map((size) => log.submit(101, size)));
    const answers = await Promise.all(bodies.map(post));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('serves the newest cosigned checkpoint, which carries both signatures', async () => {
    const address = `${url}/${createHash('sha256').update(signer.name).digest('hex')}/checkpoint`;
    const note = await (await fetch(address)).text();
    const keys = [parseVerifierKey(signer.verifierKey), parseVerifierKey(witness.verifierKey)];
    const { text, signatures } = openNote(note, keys);
    const [known] = await witness.listLogs();
    expect(text.split('\n')[1]).toBe(String(known?.size));
    expect(signatures).toHaveLength(2);
    expect((await fetch(`${url}/${'0'.repeat(64)}/checkpoint`)).status).toBe(404);
  });

  it('accepts requests without a content type', async () => {
    const sent = await fetch(`${url}/add-checkpoint`, {
      method: 'POST',
      body: Buffer.from(await log.submit(1, 140)),
    });
    expect(sent.status).toBe(409);
  });

  it('continues a log that was removed and added again where it was', async () => {
    const [before] = await witness.listLogs();
    const size = before?.size ?? 0;
    await witness.removeLog(signer.name);
    expect((await post(await log.submit(size, 150))).status).toBe(404);
    await expect(witness.removeLog(signer.name)).rejects.toThrow('has no log');
    await witness.addLog(signer.verifierKey);
    expect((await post(await log.submit(0, 150))).status).toBe(409);
    const rewritten = createLog('other');
    expect((await post(await rewritten.submit(size, 150))).status).toBe(422);
    expect((await post(await log.submit(size, 150))).status).toBe(200);
  });

  it('keeps its name and key', async () => {
    const again = await openWitness(file);
    expect(again.verifierKey).toBe(witness.verifierKey);
    await again.close();
    await expect(openWitness(file, 'another.example/w')).rejects.toThrow('cannot be changed');
    const other = createSigner(signer.name, digest('another key'));
    await expect(witness.addLog(other.verifierKey)).rejects.toThrow('with another key');
    await expect(witness.addLog(witness.verifierKey)).rejects.toThrow('key of a witness');
  });
});
