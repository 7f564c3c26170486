import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ALL_WAITING_REQUESTS_MAX, WAITING_BYTES_MAX, WAITING_REQUESTS_MAX } from './limits.ts';
import { Pipelining } from './pipelining.ts';

interface Exchange {
  url: string;
  response: ServerResponse;
  body: Promise<string>;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

/** A server whose requests are answered by the test. */
async function setUp() {
  const begun: Exchange[] = [];
  const arrivals: ((exchange: Exchange) => void)[] = [];
  let closed = 0;
  const pipelining = new Pipelining(() => closed++);
  const server = createServer(
    pipelining.inOrder((request, response) => {
      const exchange = { url: request.url ?? '', response, body: readBody(request) };
      begun.push(exchange);
      arrivals.shift()?.(exchange);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    begun,
    closed: () => closed,
    next: () => new Promise<Exchange>((resolve) => arrivals.push(resolve)),
    open: (): Socket => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      onTestFinished(() => {
        socket.destroy();
      });
      return socket;
    },
  };
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: pavis\r\n${headers}\r\n`;
const many = (count: number, headers = '') =>
  Array.from({ length: count }, (_, n) => get(`/${n}`, headers)).join('');
const closing = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', resolve));
const bodies = (text: string) =>
  [...text.matchAll(/\r\n\r\n([\s\S]*?)(?=HTTP\/1\.1|$)/g)].map(([, body]) => body);

describe('Pipelined requests of a connection', () => {
  it('are handled one after the other, and answered in their order', async () => {
    const { begun, next, open } = await setUp();
    const socket = open();
    let received = '';
    const ended = new Promise<void>((resolve) => socket.once('end', resolve));
    socket.setEncoding('utf8').on('data', (text) => (received += text));
    let exchange = next();
    const post = 'POST /post HTTP/1.1\r\nHost: pavis\r\nContent-Length: 4\r\n\r\nbody';
    const last = get('/last', 'Connection: close\r\n');
    socket.write(get('/first') + post + get('/third') + last);
    for (const url of ['/first', '/post', '/third', '/last']) {
      const current = await exchange;
      expect(current.url).toBe(url);
      expect(begun.at(-1)).toBe(current);
      exchange = next();
      current.response.end(`${url} ${await current.body}`);
    }
    await ended;
    expect(bodies(received)).toEqual(['/first ', '/post body', '/third ', '/last ']);
  });

  it('get 100 Continue in their turn, and their body is read then', async () => {
    const { next, open } = await setUp();
    const socket = open();
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => {
      received += text;
      if (text.includes('100 Continue')) socket.write('late');
    });
    const first = next();
    const expecting = 'Expect: 100-continue\r\nContent-Length: 4\r\nConnection: close\r\n';
    socket.write(`${get('/first')}PUT /second HTTP/1.1\r\nHost: pavis\r\n${expecting}\r\n`);
    const second = next();
    (await first).response.end('one');
    const { response, body } = await second;
    response.end(await body);
    await closing(socket);
    expect(received.indexOf('one')).toBeLessThan(received.indexOf('100 Continue'));
    expect(bodies(received).at(-1)).toBe('late');
  });

  it(`may wait as far as ${WAITING_REQUESTS_MAX} of them, again and again`, async () => {
    const { begun, closed, next, open } = await setUp();
    const socket = open();
    socket.resume();
    let exchange = next();
    for (let round = 0; round < 3; round++) {
      socket.write(many(WAITING_REQUESTS_MAX + 1));
      for (let n = 0; n <= WAITING_REQUESTS_MAX; n++) {
        const { response } = await exchange;
        exchange = next();
        await new Promise<void>((resolve) => response.end(resolve));
      }
    }
    expect([begun.length, closed()]).toEqual([3 * (WAITING_REQUESTS_MAX + 1), 0]);
  });

  it('beyond that close the connection, and none of them is handled but the one under way', async () => {
    const { begun, closed, next, open } = await setUp();
    const flood = open();
    const other = open();
    flood.write(many(WAITING_REQUESTS_MAX + 2_000));
    await closing(flood);
    expect([begun.map(({ url }) => url), closed()]).toEqual([['/0'], 1]);
    const exchange = next();
    other.write(get('/other'));
    expect((await exchange).url).toBe('/other');
  });

  it('close it as well when they are large', async () => {
    const { closed, open } = await setUp();
    const socket = open();
    const headers = `X: ${'x'.repeat(15_000)}\r\n`;
    const count = Math.ceil(WAITING_BYTES_MAX / 15_000) + 5;
    expect(count).toBeLessThan(WAITING_REQUESTS_MAX);
    socket.write(many(count, headers));
    await closing(socket);
    expect(closed()).toBe(1);
  });

  it('close it when too many of all connections wait, while single requests are still handled', async () => {
    const { begun, closed, next, open } = await setUp();
    const connections = Math.floor(ALL_WAITING_REQUESTS_MAX / WAITING_REQUESTS_MAX);
    for (let n = 0; n < connections; n++) open().write(many(WAITING_REQUESTS_MAX + 1));
    while (begun.length < connections) await next();
    const late = open();
    late.write(many(WAITING_REQUESTS_MAX + 1));
    await closing(late);
    expect(closed()).toBe(1);
    const exchange = next();
    open().write(get('/single'));
    expect((await exchange).url).toBe('/single');
  });
});
