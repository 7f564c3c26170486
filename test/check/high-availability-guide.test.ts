import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeNextVersion } from '../chaos/high-availability/next-version.ts';
import { PROJECT } from './cruised.ts';

/** The rehearsal runs on loopback, so it does not notice networks that do not fit together. */
describe('The networks of the high availability guide', () => {
  const guide = readFileSync(join(PROJECT, 'docs/guides/high-availability.md'), 'utf8');
  const [, patroni = ''] = /^```yaml\n(.*?)^```/ms.exec(guide) ?? [];
  const nodes = [...guide.matchAll(/^ {2}server app\d (\S+):8787 check$/gm)].map(([, at]) => at);

  const includes = (network: string, address = '') => {
    const [start = '', prefix] = network.split('/');
    const list = new BlockList();
    list.addSubnet(start, Number(prefix));
    return list.check(address);
  };

  it('let the application machines connect to PostgreSQL', () => {
    const rules: string[] = parse(patroni).postgresql.pg_hba;
    const networks = rules
      .map((rule) => rule.split(' '))
      .filter(
        ([, database = '', user = '']) => /all|pavis/.test(database) && /all|pavis/.test(user),
      )
      .map(([, , , network = '']) => network);
    expect(nodes).toHaveLength(6);
    for (const node of nodes)
      expect([node, networks.some((network) => includes(network, node))]).toEqual([node, true]);
  });

  it('let HAProxy on other machines connect to Pavis, which trusts it', () => {
    const find = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(guide)?.[1] ?? '';
    expect(nodes).toContain(find('PAVIS_HOST'));
    const trusted = find('PAVIS_TRUSTED_PROXIES');
    for (const node of nodes) expect([node, includes(trusted, node)]).toEqual([node, true]);
  });
});

describe('The rehearsal of high availability', () => {
  it('updates to a version that starts and has one more migration', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pavis-next-'));
    const args = [writeNextVersion(folder), 'migrate', '--status', '--json'];
    const env = { ...process.env, PAVIS_DATA_DIR: join(folder, 'data') };
    const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([JSON.parse(stdout || '{}').pending?.at(-1), stderr]).toEqual(['999-rehearsal', '']);
  }, 30_000);
});
