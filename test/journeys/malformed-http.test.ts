import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { makeLicence } from '../support/makers.ts';
import { type Packet, sendRaw } from '../support/raw.ts';
import { SCOPES } from '../support/scopes.ts';
import { useTestApp } from '../support/test-app.ts';

const HEAD = 'Host: pavis\r\nConnection: close\r\n';
/** More than the limit of 16 KiB for request headers. */
const TOO_LONG = 'x'.repeat(17_000);
const MANY = `X-Y: ${'z'.repeat(90)}\r\n`.repeat(200);

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\n${HEAD}${headers}\r\n`;
const post = (target: string, rest: string) =>
  `POST ${target} HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n${rest}`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';

/** Requests to a path with GET and POST; several packets are sent one after the other. */
const MALFORMED: [what: string, status: number, request: (path: string) => Packet | Packet[]][] = [
  ['has a header over 16 KiB', 431, (path) => get(path, `X: ${TOO_LONG}\r\n`)],
  [
    'has a header over 16 KiB that comes in pieces',
    431,
    (path) => [`GET ${path} HTTP/1.1\r\n${HEAD}X: `, TOO_LONG, '\r\n\r\n'],
  ],
  ['has headers over 16 KiB together', 431, (path) => get(path, MANY)],
  ['has a URL over 16 KiB', 431, (path) => get(`${path}/${TOO_LONG}`)],
  ['has a query over 16 KiB', 431, (path) => get(`${path}?${TOO_LONG}`)],
  ['has an unknown version', 400, (path) => get(path).replace('HTTP/1.1', 'HTTP/9.9')],
  ['has an unknown method', 400, (path) => get(path).replace('GET', 'FROB')],
  ['has a method in small letters', 400, (path) => get(path).replace('GET', 'get')],
  ['has a control character in its path', 400, (path) => get(`${path}/\x01`)],
  ['has raw UTF-8 in its path', 400, (path) => get(`${path}/é`)],
  ['has a blank in a header name', 400, (path) => get(path, 'X Y: z\r\n')],
  ['has a NUL in a header', 400, (path) => get(path, 'X: a\0b\r\n')],
  ['has no Host', 400, (path) => `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ['has two Hosts', 400, (path) => get(path, 'Host: other\r\n')],
  ['escapes its path badly', 400, (path) => get(`${path}/%zz`)],
  ['escapes what is no UTF-8', 400, (path) => get(`${path}/%ff%fe`)],
  [
    'expects nonsense',
    417,
    (path) => post(path, 'Expect: nonsense\r\nContent-Length: 2\r\n\r\n{}'),
  ],
  ['has a length that is no number', 400, (path) => post(path, 'Content-Length: ten\r\n\r\n{}')],
  ['has a negative length', 400, (path) => post(path, 'Content-Length: -1\r\n\r\n{}')],
  [
    'has two lengths',
    400,
    (path) => post(path, 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
  ],
  [
    'has a length and chunks',
    400,
    (path) => post(path, `Content-Length: 2\r\n${CHUNKED}0\r\n\r\n`),
  ],
  ['has an unknown encoding', 400, (path) => post(path, 'Transfer-Encoding: frob\r\n\r\n{}')],
  ['has garbage for chunks', 400, (path) => post(path, `${CHUNKED}ZZ\r\n{}\r\n`)],
  [
    'has garbage for a later chunk',
    400,
    (path) => [post(path, `${CHUNKED}2\r\n{}\r\n`), 'ZZ\r\n{}\r\n'],
  ],
  ['is longer than its length', 400, (path) => post(path, 'Content-Length: 1\r\n\r\n{}')],
  ['announces 100 MB', 413, (path) => post(path, 'Content-Length: 100000000\r\n\r\n{')],
];

describe.each(SCOPES)('a malformed HTTP request to $name', ({ prefix, refusal }) => {
  const app = useTestApp('sqlite', {}, (server) => {
    server.route({ method: ['GET', 'POST'], url: `${prefix}/echo`, handler: async () => ({}) });
  });

  afterEach(async () => {
    expect((await app.http.get('/health')).status).toBe(200);
  });

  it.each(MALFORMED)('and %s gets %i and the error of the API', async (_what, status, request) => {
    const answer = await sendRaw(app.url, request(`${prefix}/echo`));
    expect(answer.status).toBe(status);
    expect(answer.json).toStrictEqual(refusal(status));
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('that ends within its body gets 400 and the error of the API', async () => {
    const packets = [post(`${prefix}/echo`, 'Content-Length: 100\r\n\r\n'), '{'];
    const answer = await sendRaw(app.url, packets, { hangUp: true });
    expect([answer.status, answer.json]).toStrictEqual([400, refusal(400)]);
  });

  it('that ends within its headers does no harm', async () => {
    const packet = `GET ${prefix}/echo HTTP/1.1\r\nHost: pa`;
    const { status } = await sendRaw(app.url, packet, { hangUp: true });
    expect([0, 400]).toContain(status);
  });
});

describe('a malformed HTTP request with valid licence data', () => {
  const app = useTestApp('sqlite');

  it.each([
    ['has no Host', 400, ''],
    ['has two Hosts', 400, 'Host: pavis\r\nHost: other\r\n'],
    ['expects nonsense', 417, 'Host: pavis\r\nExpect: nonsense\r\n'],
    ['has two types', 415, 'Host: pavis\r\nContent-Type: text/plain\r\n'],
  ])('and %s gets %i, also if its licence is cached', async (_what, status, headers) => {
    const { key } = await makeLicence(app.platform);
    const body = JSON.stringify({ licence_key: key, site_url: 'https://example.com' });
    const request =
      `POST /licence/validate HTTP/1.1\r\nConnection: close\r\n${headers}X-Licence-Key: ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const cold = await sendRaw(app.url, request);
    await app.http.site('validate', key, 'https://example.com');
    const warm = await sendRaw(app.url, request);
    for (const answer of [cold, warm]) {
      expect(answer.status).toBe(status);
      expect(answer.json).toStrictEqual(SCOPES[0]?.refusal(status));
    }
  });
});

describe('a request without a path', () => {
  const app = useTestApp('sqlite');

  it.each([
    ['is no HTTP at all', 'hello\r\n\r\n'],
    ['is a TLS handshake', new Uint8Array([0x16, 3, 1, 0, 0xf1, 1, 0, 0, 0xed, 3, 3])],
    ['is HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['has nothing but a method', 'GET\r\n\r\n'],
    ['asks for a tunnel', `CONNECT example.com:443 HTTP/1.1\r\n${HEAD}\r\n`],
    ['asks about the whole server', `OPTIONS * HTTP/1.1\r\n${HEAD}\r\n`],
  ])('and %s gets an error of the Licence API', async (_what, packet) => {
    const { status, json, headers } = await sendRaw(app.url, packet);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(json).toStrictEqual(SCOPES[0]?.refusal(status));
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('a malformed request after others on its connection', () => {
  const app = useTestApp('sqlite', {}, (server) => {
    server.get('/slow', async (_request, reply) => {
      await setTimeout(100);
      return reply.send('slow');
    });
    server.post('/unread', async () => 'read');
    server.get('/stream', (_request, reply) =>
      reply.send(Readable.from(Array.from({ length: 200 }, () => Buffer.alloc(65_536, '~')))),
    );
  });
  const open = () => {
    const { hostname, port } = new URL(app.url);
    return connect(Number(port), hostname).setNoDelay();
  };
  /** The statuses of the responses, once the connection is closed. */
  const send = async (...packets: string[]) => {
    const socket = open();
    for (const packet of packets) {
      socket.write(packet);
      await setTimeout(10);
    }
    const received = await text(socket);
    return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  };
  const consent = JSON.stringify({ visitor_id: 'in-order', consent_action: 'reject_all' });
  const decision = `POST /wp-json/svc/v1/consent HTTP/1.1\r\nHost: pavis\r\nContent-Type: application/json\r\nContent-Length: ${consent.length}\r\n\r\n${consent}`;
  const slow = 'GET /slow HTTP/1.1\r\nHost: pavis\r\n\r\n';
  const tunnel = 'CONNECT a:443 HTTP/1.1\r\nHost: pavis\r\n\r\n';

  it.each([
    [
      'expects nonsense',
      417,
      'POST /x HTTP/1.1\r\nHost: pavis\r\nExpect: foo\r\nContent-Length: 0\r\n\r\n',
    ],
    ['asks for a tunnel', 400, tunnel],
    ['is no HTTP', 400, 'GARBAGE\r\n\r\n'],
  ])(
    'is answered after their responses (RFC 9112 §9.3.2): it %s',
    async (_what, error, malformed) => {
      expect(await send(decision + malformed)).toEqual([200, error]);
      expect(await send(slow + slow + decision + malformed + slow)).toEqual([200, 200, 200, error]);
      expect(await send(slow, malformed, malformed)).toEqual([200, error]);
    },
  );

  it('is answered at once if its own body is malformed', async () => {
    const head = 'POST /unread HTTP/1.1\r\nHost: pavis\r\nTransfer-Encoding: chunked\r\n';
    const broken = `${head}Content-Type: application/json\r\n\r\nnonsense\r\n`;
    expect(await send(broken)).toEqual([400]);
    expect(await send(slow + broken)).toEqual([200, 400]);
  });

  it('that asks for a tunnel lets a large response be read to its end', async () => {
    const socket = open();
    socket.write(`GET /stream HTTP/1.1\r\nHost: pavis\r\n\r\n${tunnel}`);
    const received = await text(socket);
    expect(received.match(/~/g)).toHaveLength(200 * 65_536);
    expect(received).toMatch(/HTTP\/1\.1 400 /);
  });

  // An error without a listener ends the process, and fails this run.
  it('does no harm if it asks for a tunnel and the client resets the connection', async () => {
    const socket = open();
    await once(socket, 'connect');
    socket.write(slow + tunnel);
    await setTimeout(20);
    socket.resetAndDestroy();
    await setTimeout(20);
    expect((await app.http.get('/health')).status).toBe(200);
  });
});
