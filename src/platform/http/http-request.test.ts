import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpRequest } from './http-request.ts';
import { Pipelining } from './pipelining.ts';

/** A server that sends each body back, and one connection to it. */
async function setUp() {
  const read: string[] = [];
  let answer = (response: ServerResponse, text: string): void => {
    response.end(text);
  };
  const server = createServer(
    { IncomingMessage: HttpRequest },
    new Pipelining(() => {}).inOrder((request, response) => {
      request.readBody((body) => {
        read.push(body.toString());
        answer(response, body.toString());
      });
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  return {
    server,
    socket,
    read,
    bodies: () => [...received.matchAll(/\r\n\r\n<(.*?)>/gs)].map(([, body]) => body),
    answerWith: (by: typeof answer) => {
      answer = by;
    },
  };
}

const post = (body: string) =>
  `POST / HTTP/1.1\r\nHost: pavis\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe('The body of a request', () => {
  it('is read from one packet, on a connection that stays open', async () => {
    const { socket, bodies } = await setUp();
    for (const count of [1, 2, 3]) {
      socket.write(post(`<${count}>`));
      await expect.poll(() => bodies().length).toBe(count);
    }
    expect(bodies()).toEqual(['1', '2', '3']);
  });

  it('is read from several packets, also in the middle of a character', async () => {
    const { socket, bodies } = await setUp();
    const bytes = Buffer.from(post('<Größe>'));
    for (const at of [10, bytes.length - 6, bytes.length - 4, bytes.length]) {
      socket.write(bytes.subarray(socket.bytesWritten, at));
      await wait(20);
    }
    await expect.poll(bodies).toEqual(['Größe']);
  });

  it('is read if it came while the response before it was not sent yet', async () => {
    const { socket, bodies, answerWith } = await setUp();
    answerWith((response, text) => {
      setTimeout(() => response.end(text), 30);
    });
    socket.write(post('<first>') + post('<second>') + post('<third>'));
    await expect.poll(bodies).toEqual(['first', 'second', 'third']);
  });

  it('is empty if there is none', async () => {
    const { socket, read } = await setUp();
    socket.write('POST / HTTP/1.1\r\nHost: pavis\r\nContent-Length: 0\r\n\r\n');
    await expect.poll(() => read).toEqual(['']);
  });

  it('is not passed on if the client disconnects before its end', async () => {
    const { server, socket, read } = await setUp();
    const asked = once(server, 'request');
    socket.write(post('<partial>').slice(0, -1));
    await asked;
    socket.destroy();
    await expect
      .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))))
      .toBe(0);
    expect(read).toEqual([]);
  });
});
