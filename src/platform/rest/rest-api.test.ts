import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { test } from 'vitest';
import { ApiError } from '../errors.ts';
import { OWN_ORIGIN_ONLY } from './origins.ts';
import { RestApi } from './rest-api.ts';

const REQUESTS = 500;
const REQUEST_BYTES = 10_000;

test('of a request that was answered nothing stays until the next full collection', async ({
  expect,
}) => {
  const api = new RestApi({
    namespace: 'svc/v1',
    name: 'Test',
    description: 'Test',
    consolePath: '/admin/',
    timeZone: 'UTC',
    now: Date.now,
    restRoot: () => 'http://127.0.0.1/wp-json',
    origins: OWN_ORIGIN_ONLY,
    authenticate: async () => ({ user: null, badNonce: false }),
    reportRefused() {},
    reportMissingScope() {},
    toApiError: () => new ApiError(500, 'internal_error', 'Something went wrong.'),
  });
  api.add({
    method: 'GET',
    path: '/things',
    access: 'public',
    summary: 'Things',
    answers: {},
    handle: async () => ({ body: [] }),
  });
  async function ask(times: number): Promise<void> {
    for (let at = 0; at < times; at++) {
      const incoming = new Array(REQUEST_BYTES / 8).fill(at);
      const { status } = await api.answer({
        method: 'GET',
        target: '/wp-json/svc/v1/things',
        path: '/svc/v1/things',
        headers: {},
        client: () => String(incoming[0]),
        body: Buffer.alloc(0),
      });
      expect(status).toBe(200);
      await nextTurn();
    }
  }
  setFlagsFromString('--expose-gc');
  const gc: NonNullable<typeof globalThis.gc> = runInNewContext('gc');
  const collectYoung = () => gc({ type: 'minor' });

  await ask(10);
  gc();
  const before = process.memoryUsage().heapUsed;
  await ask(REQUESTS);
  collectYoung();
  collectYoung();

  const kept = process.memoryUsage().heapUsed - before;
  expect(kept).toBeLessThan((REQUESTS * REQUEST_BYTES) / 10);
});
