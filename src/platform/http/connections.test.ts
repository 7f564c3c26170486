import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAddressRanges } from './client-address.ts';
import { type ConnectionLimits, Connections } from './connections.ts';

interface Options extends Partial<ConnectionLimits> {
  trusted?: string[];
  stallTimeoutMs?: number;
}

/**
 * A server with limits. Who connects from 127.0.0.N has the N-th of the given addresses, since no test can connect from
 * public ones.
 */
async function setUp(
  addresses: string[],
  { total = 100, perAddress, trusted = [], stallTimeoutMs = 60_000 }: Options = {},
) {
  const parsed = parseAddressRanges(trusted);
  if ('wrong' in parsed) throw new Error(parsed.wrong);
  const warnings: object[] = [];
  const log = { warn: (fields: object) => warnings.push(fields) };
  const connections = new Connections({ total, perAddress }, parsed.ranges, log as never);
  const busy: ServerResponse[] = [];
  const arrivals: (() => void)[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/large') response.end(Buffer.alloc(30_000_000));
    else if (request.url === '/busy') {
      busy.push(response);
      arrivals.shift()?.();
    } else response.end('ok');
  });
  server.on('connection', (socket: Socket) => {
    const value = addresses[Number(socket.remoteAddress?.split('.')[3]) - 1];
    Object.defineProperty(socket, 'remoteAddress', { value });
  });
  connections.watch(server, { stallTimeoutMs, checkMs: 10 });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Connects from the N-th address, sends a request and gives what came of it. */
  async function ask(from: number, path = '/') {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${from}` });
    onTestFinished(() => {
      socket.destroy();
    });
    const closed = new Promise<'closed'>((resolve) => {
      socket.on('error', () => resolve('closed')).on('close', () => resolve('closed'));
    });
    const arrived = new Promise<'busy'>((resolve) => {
      if (path === '/busy') arrivals.push(() => resolve('busy'));
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: pavis\r\n\r\n`);
    if (path === '/large') return { socket: socket.pause(), closed, outcome: 'unread' };
    const answered = new Promise<'served'>((resolve) =>
      socket.once('data', () => resolve('served')),
    );
    const outcome = await Promise.race([answered, closed, arrived]);
    return { socket, closed, outcome };
  }
  return { ask, warnings, metrics: () => connections.render() };
}

const closedBy = (metrics: string, reason: string): number =>
  Number(new RegExp(`closed_total\\{reason="${reason}"\\} (\\d+)`).exec(metrics)?.[1]);

describe('The connections of a public address', () => {
  it('are limited: the oldest idle one makes room for a new one', async () => {
    const { ask, metrics, warnings } = await setUp(['203.0.113.1'], { perAddress: 2 });
    const [first, second, third] = [await ask(1), await ask(1), await ask(1)];
    expect([first.outcome, second.outcome, third.outcome]).toEqual(['served', 'served', 'served']);
    expect(await first.closed).toBe('closed');
    expect(second.socket.destroyed).toBe(false);
    expect(closedBy(metrics(), 'address_limit')).toBe(1);
    expect(metrics()).toContain('\npavis_http_connections 2\n');
    expect(warnings).toEqual([{ reason: 'address_limit', open: 1 }]);
  });

  it('are refused while all that it has are busy, and other addresses are served', async () => {
    const { ask } = await setUp(['203.0.113.1', '203.0.113.2'], { perAddress: 2 });
    await ask(1, '/busy');
    await ask(1, '/busy');
    expect((await ask(1)).outcome).toBe('closed');
    expect((await ask(2)).outcome).toBe('served');
  });

  it('count together within a /64 of IPv6', async () => {
    const { ask } = await setUp(['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:3::1'], {
      perAddress: 1,
    });
    await ask(1, '/busy');
    expect((await ask(2)).outcome).toBe('closed');
    expect((await ask(3)).outcome).toBe('served');
  });

  it.each([
    ['loopback', '127.0.0.1', []],
    ['loopback of IPv6', '::1', []],
    ['a private network', '10.1.2.3', []],
    ['a private network in IPv6 form', '::ffff:192.168.1.1', []],
    ['a trusted proxy', '203.0.113.1', ['203.0.113.0/24']],
    ['a trusted proxy of IPv6', '2001:db8::1', ['2001:db8::/32']],
  ])('are not limited for %s', async (_what, address, trusted) => {
    const { ask } = await setUp([address], { perAddress: 1, trusted });
    await ask(1, '/busy');
    await ask(1, '/busy');
    expect((await ask(1)).outcome).toBe('served');
  });
});

describe('The connections of all clients', () => {
  it('are limited: who has the most loses its oldest one, even a busy one, to a new client', async () => {
    const { ask, metrics } = await setUp(['127.0.0.1', '203.0.113.2'], { total: 3 });
    const held = [await ask(1, '/busy'), await ask(1, '/busy'), await ask(1, '/busy')];
    expect((await ask(2)).outcome).toBe('served');
    expect(await held[0]?.closed).toBe('closed');
    expect(held[1]?.socket.destroyed).toBe(false);
    // It has the most itself, and none of them is idle.
    expect((await ask(1)).outcome).toBe('closed');
    expect(closedBy(metrics(), 'total_limit')).toBe(2);
  });

  it('give room to a client that has the most itself by closing its own oldest idle one', async () => {
    const { ask } = await setUp(['127.0.0.1'], { total: 2 });
    const [first, , third] = [await ask(1), await ask(1, '/busy'), await ask(1)];
    expect(third.outcome).toBe('served');
    expect(await first.closed).toBe('closed');
  });

  it('are closed when the client takes nothing of a response for a while', async () => {
    const { ask, metrics } = await setUp(['127.0.0.1'], { stallTimeoutMs: 200 });
    const stalled = await ask(1, '/large');
    // A closed connection shows when what had come before is read.
    while (closedBy(metrics(), 'stalled') === 0) await new Promise(setImmediate);
    stalled.socket.resume();
    expect(await stalled.closed).toBe('closed');
    expect(stalled.socket.bytesRead).toBeLessThan(30_000_000);
  });

  it('are kept for a client that takes a response slowly', async () => {
    const { ask } = await setUp(['127.0.0.1'], { stallTimeoutMs: 1_000 });
    const { socket } = await ask(1, '/large');
    const startedAt = performance.now();
    let received = 0;
    for await (const chunk of socket) {
      received += (chunk as Buffer).length;
      // Slower than the time of a stall in all, and never that long without reading.
      const share = received / 30_000_000;
      while (performance.now() - startedAt < share * 2_500) await new Promise(setImmediate);
      if (received > 30_000_000) break;
    }
    expect(received).toBeGreaterThan(30_000_000);
  });
});
