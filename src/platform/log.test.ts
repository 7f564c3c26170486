import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reservePort } from '../../test/support/ports.ts';
import { createLogger, withoutSecrets } from './log.ts';

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

it.each([
  ['a locked table', Object.assign(new Error('locked'), { code: '55P03', severity: 'ERROR' })],
  ['a locked file', Object.assign(new Error('locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 })],
])('logs requests that %s keeps waiting once for each message', async (_, err) => {
  const { log, lines } = await createLog();
  for (let n = 0; n < 100; n++) log.child({ reqId: n }).warn({ err }, 'request refused for now');
  expect(lines).toHaveLength(1);
  const full = Object.assign(new Error('full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
  log.warn({ err: full }, 'request refused for now');
  expect(lines).toHaveLength(2);
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

it.each([
  ['550 <jörg@müller.example> unknown', '550 <[hidden]> unknown'],
  ["o'brien@example.com and 'ada@example.com'", "[hidden] and '[hidden]'"],
  ['岡@例え.example, e\u0301@a.example', '[hidden], [hidden]'],
  ['GET /x?email=ada@example.com&y', 'GET /x?email=[hidden]&y'],
  ['postgres://ada:***@db.example.com/pavis', 'postgres://ada:***@db.example.com/pavis'],
  [`pv_live_${'a1'.repeat(16)} of ada@example.com`, '[hidden] of [hidden]'],
  ['Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln is not valid', 'Bearer [hidden] is not valid'],
  ['token=a-eyJhbGc.e30.c2ln&y', 'token=[hidden]&y'],
  ['unsigned: eyJhbGc.e30.', 'unsigned: [hidden]'],
  ['eyJhbGc.e30 and www.eyJ.example', 'eyJhbGc.e30 and www.eyJ.example'],
])('hides the addresses, keys and tokens of %j', (text, hidden) => {
  expect(withoutSecrets(text)).toBe(hidden);
});

const texts = (parts: string[]) => fc.array(fc.constantFrom(...parts)).map((all) => all.join(''));

it('hides each token, whatever is around it, and nothing without one', () => {
  const parts = ['eyJ', 'a', '-', '.', ' ', '=', '@', '+', 'ä', "'", 'pv_live_'];
  fc.assert(
    fc.property(texts(parts), texts(parts), (before, after) => {
      const hidden = withoutSecrets(`${before}eyJa.b.c${after}`);
      expect(hidden).not.toMatch(/eyJ[\w-]+\.[\w-]+\./);
    }),
  );
  fc.assert(
    fc.property(texts(['eyJ', 'a', '-', ' ', '=', '. ']), (text) => {
      expect(withoutSecrets(text)).toBe(text);
    }),
  );
});

it.each(['a', 'a.', "a'", 'a@', 'ä', '/a', 'eyJ', 'eyJ-'])(
  'hides nothing of many %j within a second',
  (part) => {
    const text = part.repeat(50_000);
    const start = performance.now();
    expect(withoutSecrets(text)).toBe(text);
    expect(performance.now() - start).toBeLessThan(1_000);
  },
);
