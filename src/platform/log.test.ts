import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { reservePort } from '../../test/support/ports.ts';
import { createLogger } from './log.ts';

async function createLog() {
  const lines: { msg: string; level: string }[] = [];
  const log = await createLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
  return { log, lines };
}

/** The error of a server that is away. */
async function failToConnect(): Promise<Error> {
  const port = await reservePort();
  return new Promise((resolve) => connect(port, '127.0.0.1').once('error', resolve));
}

it('logs a database that is away once for each message', async () => {
  const { log, lines } = await createLog();
  for (let n = 0; n < 100; n++) {
    const err = await failToConnect();
    log.child({ reqId: n }).error({ err }, 'request failed');
    log.warn({ err }, 'background work failed');
  }
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['error', 'request failed'],
    ['warn', 'background work failed'],
  ]);
});

it('logs each of all other errors', async () => {
  const { log, lines } = await createLog();
  for (let n = 0; n < 3; n++) {
    log.error({ err: new Error('no such luck') }, 'request failed');
    log.info('request');
    log.info({ status: 503 }, 'request');
  }
  expect(lines).toHaveLength(9);
});
