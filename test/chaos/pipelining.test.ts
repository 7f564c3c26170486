import { readdirSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { residentMb } from '../../bench/process-usage.ts';
import { dataFolder, type ServerProcess, startServer } from '../support/process.ts';

const SOCKETS = 60;
const ATTACK_MS = 3_000;
const HEAP_MB = 512;
/** About twice the memory of a server after one request to each route. */
const MOST_MEMORY_MB = 400;
/** The size of a read in Node.js. */
const BYTES_AT_ONCE = 64 * 1024;
const PUSH_EVERY_MS = 5;
const ASSETS = new URL('../../web/dist/console/assets/', import.meta.url);
const ROOT = '/wp-json/svc/v1';
const DECISION = JSON.stringify({
  visitor_id: 'visitor-1',
  consent_action: 'accept_all',
  categories_accepted: [],
  categories_rejected: [],
});

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: pavis\r\n${headers}\r\n`;

function largestAsset(): string {
  const files = readdirSync(ASSETS).map((name) => ({
    name,
    size: statSync(new URL(name, ASSETS)).size,
  }));
  return files.sort((a, b) => b.size - a.size)[0]?.name ?? '';
}

/** The requests that each attack repeats. */
const ATTACKS: [what: string, request: () => string][] = [
  ['the start page', () => get('/')],
  ['health', () => get('/health')],
  ['the consent status', () => get(`${ROOT}/consent/status`)],
  ['the banner', () => get('/banner.js')],
  ['a page of the docs', () => get('/docs/plugin/consent')],
  ['an OpenAPI document', () => get(`${ROOT}/openapi.json`)],
  ['the index of the REST API', () => get(ROOT)],
  ['an asset of the console', () => get(`/admin/assets/${largestAsset()}`)],
  ['a path where there is nothing', () => get('/nothing')],
  ['large headers', () => get('/health', `X: ${'x'.repeat(15_000)}\r\n`)],
  [
    'consent choices',
    () =>
      `POST ${ROOT}/consent HTTP/1.1\r\nHost: pavis\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${DECISION.length}\r\n\r\n${DECISION}`,
  ],
  [
    'bodies of 100 KB',
    () =>
      `POST ${ROOT}/consent HTTP/1.1\r\nHost: pavis\r\nContent-Type: application/json\r\n` +
      `Content-Length: 100000\r\n\r\n${' '.repeat(100_000)}`,
  ],
];

/** Sockets that send requests as fast as possible, read nothing, and reconnect when they are closed. */
function attack(url: string, request: string): { connections(): number; end(): void } {
  const { hostname, port } = new URL(url);
  const batch = request.repeat(Math.ceil(BYTES_AT_ONCE / request.length));
  const sockets = new Set<Socket>();
  let connections = 0;
  function open(): void {
    connections++;
    const socket = connect(Number(port), hostname).pause();
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      if (sockets.delete(socket)) setImmediate(open);
    });
  }
  for (let n = 0; n < SOCKETS; n++) open();
  const pushing = setInterval(() => {
    for (const socket of sockets) if (socket.writableLength === 0) socket.write(batch);
  }, PUSH_EVERY_MS);
  return {
    connections: () => connections,
    end() {
      clearInterval(pushing);
      const left = [...sockets];
      sockets.clear();
      for (const socket of left) socket.destroy();
    },
  };
}

// Linux only: /proc has the memory of other processes.
describe.runIf(process.platform === 'linux')(
  `a server with ${HEAP_MB} MB and ${SOCKETS} clients that pipeline requests and read no responses`,
  () => {
    const folder = dataFolder();
    let server: ServerProcess;
    beforeAll(async () => {
      server = await startServer({
        PAVIS_DATA_DIR: folder.path,
        NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
      });
    });
    afterAll(async () => {
      await server.stop('SIGKILL');
      folder.remove();
    });

    it.each(ATTACKS)('stays alive and serves other clients: %s', async (_what, request) => {
      const attackers = attack(server.url, request());
      const end = performance.now() + ATTACK_MS;
      let most = 0;
      try {
        do {
          const others = [server.http.get('/health'), server.http.get(`${ROOT}/consent/status`)];
          expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200]);
          most = Math.max(most, residentMb(server.child.pid ?? 0));
          await wait(50);
        } while (performance.now() < end);
      } finally {
        attackers.end();
      }
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan(MOST_MEMORY_MB);
      expect(attackers.connections()).toBeGreaterThanOrEqual(SOCKETS);
      expect(server.child.exitCode).toBeNull();
    });
  },
);
