import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  hashLeaf,
  isIncluded,
  parseCheckpoint,
  parseProof,
  splitNote,
} from '../../src/platform/transparency-log/index.ts';
import { pavis, pavisJson } from '../support/process.ts';
import { useServerProcess } from '../support/server-process.ts';

const ROOT = '/wp-json/svc/v1';

describe('pavis consent stats, beside a running server', () => {
  const server = useServerProcess();
  const { env } = server;

  it('prints the response of GET /consent/stats', async () => {
    for (const consent_action of ['accept_all', 'accept_all', 'reject_all']) {
      const body = { visitor_id: 'cli-1', consent_action };
      expect((await server.http.post(`${ROOT}/consent`, { body })).status).toBe(200);
    }
    const all = await pavisJson(['consent', 'stats'], env);
    expect(all).toMatchObject({ period: null, total: 3, by_action: { accept_all: 2 } });
    const today = all.daily.at(-1).date;
    const one = await pavisJson(['consent', 'stats', '--from', today, '--to', today], env);
    expect(one).toMatchObject({ period: { from: today, to: today }, total: 3 });
    expect(one.daily).toHaveLength(1);

    const { stdout } = await pavis(['consent', 'stats', '--from', today], env);
    expect(stdout).toMatch(/^analytics +2 +1 +67 %$/m);
    expect(stdout).toMatch(new RegExp(`^${today} +3 +2 +0 +1$`, 'm'));
  });

  it('imports the settings of another banner, with --apply', async () => {
    const file = join(import.meta.dirname, '../fixtures/banner-imports/complianz-export.txt');
    const command = ['settings', 'import', file, '--language', 'de'];
    const { code, stdout } = await pavis(command, env);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Dry run: nothing was saved.')]);
    expect(stdout).toMatch(/^imported +banners\[1\]\.position +consent\.position +bottom-right$/m);
    expect(stdout).toMatch(/^service +youtube +youtube$/m);
    const texts = async () =>
      (await server.http.get(`${ROOT}/consent/texts?language=de`)).json.accept_text;
    expect(await texts()).not.toBe('Einverstanden');
    const saved = await pavisJson([...command, '--apply'], env);
    expect(saved).toMatchObject({ applied: true, format: 'complianz' });
    await expect.poll(texts).toBe('Einverstanden');

    for (const [args, reason] of [
      [['no-such-file'], 'no-such-file'],
      [[file, '--format', 'cookieyes'], 'not an export of CookieYes 3'],
    ] as const) {
      const refused = await pavis(['settings', 'import', ...args], env);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(reason)]);
    }
  });

  it('compares the records with the consent log', async () => {
    const verify = () => pavisJson(['log', 'verify', '--deep'], env);
    await expect
      .poll(async () => (await verify()).consent_records)
      .toMatchObject({ intact: 3, pending: 0 });
    const { code, stdout } = await pavis(['log', 'verify'], env);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Consent records: 3 there')]);
    const missing = await pavis(['log', 'verify', '--against', 'no-such-file'], env);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('no-such-file')]);
  });

  it('prints the newest checkpoint, and the proof of a record', async () => {
    const { checkpoint, origin, size } = await pavisJson(['log', 'checkpoint'], env);
    expect(checkpoint).toMatch(`${origin}\n${size}\n`);
    const kept = join(server.folder, 'checkpoint.txt');
    writeFileSync(kept, (await pavis(['log', 'checkpoint'], env)).stdout);
    expect((await pavis(['log', 'verify', '--against', kept], env)).code).toBe(0);
    writeFileSync(kept, checkpoint.replaceAll(/^/gm, '> '));
    expect((await pavis(['log', 'verify', '--against', kept], env)).code).toBe(0);
    for (const text of ['', checkpoint.split('\n\n')[0]]) {
      writeFileSync(kept, text);
      const refused = await pavis(['log', 'verify', '--against', kept], env);
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining(`${kept} is not a checkpoint: `),
      ]);
    }

    const { index, entry, proof } = await pavisJson(['log', 'prove', '2'], env);
    const read = parseProof(proof);
    const { size: provenSize, root } = parseCheckpoint(splitNote(read.checkpoint).text);
    const leaf = hashLeaf(Buffer.from(entry, 'base64'));
    expect(isIncluded({ leaf, index, size: provenSize, proof: read.path, root })).toBe(true);
    const file = join(server.folder, 'two.tlog-proof');
    const { code, stdout } = await pavis(['log', 'prove', '2', '--out', file], env);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Proof of entry ${index + 1} of `)]);
    expect(readFileSync(file, 'utf8')).toBe(proof);
    const again = await pavis(['log', 'prove', '2', '--out', file], env);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('cannot write')]);
    const missing = await pavis(['log', 'prove', '999'], env);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('no entry')]);
    expect((await pavis(['log', 'prove', 'x'], env)).code).toBe(2);
  });

  it.each([
    [2, ['--from', 'yesterday']],
    [2, ['--to', '2026-02-30']],
    [2, ['--from', '2001-01-01', '--to', '2026-01-01']],
  ])('exits with %i for %j and prints the reason in one line', async (status, args) => {
    const { code, stderr } = await pavis(['consent', 'stats', ...args], env);
    expect(code).toBe(status);
    expect(stderr).toMatch(/^pavis: [^\n]+\n$/);
  });
});
