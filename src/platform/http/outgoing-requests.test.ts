import { getEventListeners } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.ts';
import { NoResponseError, post } from './post.ts';

/** The origin of a server that sends these bytes to each request and keeps the connection open. */
async function answerWith(bytes: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(bytes));
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n';

describe('post', () => {
  const send = (origin: string) =>
    post(new URL(origin), '{}', {
      allowsPrivate: true,
      headers: {},
      timeoutMs: 1_000,
      responseMax: 2_048,
      signal: new AbortController().signal,
    });

  it('returns the status of a receiver that changes the protocol', async () => {
    expect(await send(await answerWith(UPGRADE))).toMatchObject({ status: 101, text: '' });
  });

  it.each([UPGRADE, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'])(
    'leaves nothing at the signal, which outlives the request: %j',
    async (answer) => {
      const any = vi.spyOn(AbortSignal, 'any');
      onTestFinished(() => any.mockRestore());
      await send(await answerWith(answer));
      const signal: AbortSignal = any.mock.results[0]?.value;
      // That of Node.js goes when the connection is closed.
      await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
    },
  );

  it('gets no response from a receiver that stops in the middle of one', async () => {
    const answer = await answerWith('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart');
    await expect(send(answer)).rejects.toThrow(NoResponseError);
  });
});

describe('createGuardedFetch', () => {
  const get = async (answer: string) => {
    const origin = await answerWith(answer);
    const signal = AbortSignal.timeout(1_000);
    return createGuardedFetch(origin)(`${origin}/`, { method: 'GET', headers: {}, signal });
  };

  it('rejects if the server changes the protocol', async () => {
    await expect(get(UPGRADE)).rejects.toThrow('changes the protocol');
  });

  it('returns a response without content for 205', async () => {
    const response = await get('HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n');
    expect([response.status, response.body]).toEqual([205, null]);
  });

  it.each([101, 600, 999])('rejects a response with the status %i', async (status) => {
    await expect(get(`HTTP/1.1 ${status} Other\r\ncontent-length: 0\r\n\r\n`)).rejects.toThrow(
      'status',
    );
  });
});
