import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dataFolder, pavis } from '../support/process.ts';

describe('pavis witness', () => {
  const folder = dataFolder();
  const env = { PAVIS_DATA_DIR: folder.path };
  const witness = (...options: string[]) =>
    pavis(['witness', '--name', 'witness.example/w1', ...options], env);
  afterAll(() => folder.remove());

  it('names the option to set if it cannot listen', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const taken = await witness('--port', String(port));
    other.close();
    expect([taken.code, taken.stderr]).toEqual([
      1,
      `pavis: port ${port} of 127.0.0.1 is in use. Stop the other process or set --port\n`,
    ]);
    const elsewhere = await witness('--host', '192.0.2.1');
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      1,
      'pavis: 192.0.2.1 is not an address of this machine. Set --host to one, for example 127.0.0.1\n',
    ]);
    const wrong = await witness('--host', 'a b');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--host <address>')]);
  });

  it('names its file if that cannot be used', async () => {
    const path = join(folder.path, 'damaged');
    const file = join(path, 'witness', 'witness.db');
    mkdirSync(join(path, 'witness'), { recursive: true });
    writeFileSync(file, 'damaged '.repeat(1_000));
    const { code, stderr } = await pavis(['witness', 'list'], { PAVIS_DATA_DIR: path });
    expect([code, stderr]).toEqual([1, `pavis: cannot use ${file}: file is not a database\n`]);
  });
});
