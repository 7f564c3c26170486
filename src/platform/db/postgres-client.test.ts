import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dataFolder, pavis } from '../../../test/support/process.ts';
import { SELF_SIGNED } from '../../../test/support/self-signed.ts';
import { createLogger } from '../log.ts';
import { databaseFault } from './database-fault.ts';
import { createPool } from './postgres.ts';

const ADVICE =
  'Check sslmode in the URL, and sslrootcert, the path of the certificate of your own authority';

/** A PostgreSQL server that answers the request for TLS, and begins it with a self-signed certificate. */
async function listen(answer: 'S' | 'N'): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(answer);
      if (answer === 'N') return;
      new TLSSocket(socket, { isServer: true, ...SELF_SIGNED }).on('error', () => {});
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `postgres://ada:hush-hush@127.0.0.1:${port}/pavis?sslmode=verify-full`;
}

describe.each([
  ['S', 'self-signed certificate'],
  ['N', 'The server does not support SSL connections'],
] as const)('TLS of a PostgreSQL server that answers %s', (answer, reason) => {
  it('fails as a database that is away', async () => {
    const pool = createPool(await listen(answer), await createLogger('silent'), 'main');
    onTestFinished(() => pool.end());
    const error = await pool.query('select 1').catch((thrown) => thrown);
    expect([databaseFault(error), error.message]).toEqual([
      'unavailable',
      expect.stringContaining(reason),
    ]);
    // The same failure of another connection, for example to a mail server, is not one of the database.
    const other = Object.assign(new Error(error.message), { code: error.code });
    expect(databaseFault(other)).toBeUndefined();
  });

  it('ends commands with the URL and what to check', async () => {
    const folder = dataFolder();
    onTestFinished(() => folder.remove());
    const url = await listen(answer);
    const env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: url };
    const { code, stderr } = await pavis(['user', 'list'], env);
    const masked = url.replace('hush-hush', '***');
    expect(code).toBe(1);
    expect(stderr).toContain(`pavis: cannot use the database ${masked}: ${reason}`);
    expect(stderr).toContain(`. ${ADVICE}\n`);
  });
});
