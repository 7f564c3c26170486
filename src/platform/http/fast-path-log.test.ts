import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/support/test-app.ts';
import { createLogger } from '../log.ts';
import { FastPathLog } from './fast-path-log.ts';

const STATUS = '/wp-json/svc/v1/consent/status';
const CONSENT = '/wp-json/svc/v1/consent';

async function openLog() {
  const lines: string[] = [];
  const log = await createLogger('info', { write: (line) => lines.push(line) });
  return { log: new FastPathLog(log), lines: () => lines.map((line) => JSON.parse(line)) };
}

describe('Answers of the fast path', () => {
  const app = useTestApp('sqlite');
  const plain = async (path: string, headers: Record<string, string> = {}) =>
    (await app.http.get(path, { headers })).headers.get('x-request-id');

  it('have a request id of their own', async () => {
    const ids = [await plain(STATUS), await plain(STATUS), await plain(STATUS)];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\w.-]{1,64}$/);
    const { headers } = await app.http.post(CONSENT, {
      body: { visitor_id: 'fast-path', consent_action: 'accept_all' },
    });
    expect(headers.get('x-request-id')).toMatch(/^[\w.-]{1,64}$/);
  });

  it('take over the request id of the client if it is one, as other routes do', async () => {
    for (const path of [STATUS, '/health']) {
      expect(await plain(path, { 'x-request-id': 'abc-1.2_3' })).toBe('abc-1.2_3');
      for (const wrong of ['a b', 'x'.repeat(65), '<script>']) {
        expect(await plain(path, { 'x-request-id': wrong })).not.toBe(wrong);
      }
      expect(await plain(path)).not.toBe('abc-1.2_3');
    }
  });

  it('are one line a second in the access log', async () => {
    for (let n = 0; n < 5; n++) await plain(STATUS);
    const counted = () =>
      app
        .logged()
        .split('\n')
        .filter((line) => line.includes('"msg":"requests"'))
        .map((line) => JSON.parse(line))
        .filter(({ path, status }) => path === STATUS && status === 200)
        .reduce((sum, { count }) => sum + count, 0);
    await expect.poll(counted).toBeGreaterThanOrEqual(5);
    expect(app.logged()).toMatch(/"p50_ms":\d/);
  });
});

describe('The access log of the fast path', () => {
  it('counts each route and status, with the times of half and of 99 of 100', async () => {
    const { log, lines } = await openLog();
    for (let ms = 1; ms <= 100; ms++) log.observe('GET', '/a', 200, ms, 'id');
    log.observe('POST', '/b', 200, 7, 'id');
    log.flush();
    expect(lines()).toMatchObject([
      { method: 'GET', path: '/a', status: 200, count: 100, p50_ms: 50, p99_ms: 99 },
      { method: 'POST', path: '/b', count: 1, p50_ms: 7, p99_ms: 7, msg: 'requests' },
    ]);
    log.flush();
    expect(lines()).toHaveLength(2);
  });

  it('has a line with the request id for each error and each slow answer, but no flood of them', async () => {
    const { log, lines } = await openLog();
    log.observe('POST', '/b', 200, 1_500, 'slow');
    for (let n = 0; n < 1_000; n++) log.observe('POST', '/b', 403, 1, `refused-${n}`);
    log.flush();
    const own = lines().filter(({ msg }) => msg === 'request');
    expect(own[0]).toMatchObject({ reqId: 'slow', status: 200, ms: 1_500 });
    expect(own[1]).toMatchObject({ reqId: 'refused-0', status: 403 });
    expect(own.length).toBe(21);
    const counted = lines().filter(({ msg }) => msg === 'requests');
    expect(counted.map(({ status, count }) => [status, count])).toEqual([
      [200, 1],
      [403, 1_000],
    ]);
  });

  it('keeps a fair sample of many answers', async () => {
    const { log, lines } = await openLog();
    for (let n = 0; n < 100_000; n++) log.observe('GET', '/a', 200, n / 1_000, 'id');
    log.flush();
    const [line] = lines();
    expect(line.count).toBe(100_000);
    expect(line.p50_ms).toBeGreaterThan(30);
    expect(line.p50_ms).toBeLessThan(70);
  });
});
