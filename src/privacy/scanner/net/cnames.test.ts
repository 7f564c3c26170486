import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createCnameLookup } from './cnames.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const encode = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);

/** A name server on this machine (RFC 1035) that knows some CNAME records; `silent` answers nothing. */
async function startNameServer(records: Record<string, string>, silent = false) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  closing.push(() => socket.close());
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    asked.push(name);
    if (silent) return;
    const question = query.subarray(12, at + 5);
    const target = records[name];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(target ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(target ? 1 : 0, 6);
    header.fill(0, 8);
    const data = target ? encode(target) : Buffer.alloc(0);
    const fixed = Buffer.from([0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, data.length]);
    const answer = target ? Buffer.concat([fixed, data]) : Buffer.alloc(0);
    socket.send(Buffer.concat([header, question, answer]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { asked, server: `127.0.0.1:${(socket.address() as AddressInfo).port}` };
}

describe('CNAME records', () => {
  it('are followed and cached', async () => {
    const { asked, server } = await startNameServer({
      'data.shop.example': 'shop.eulerian.net',
      'shop.eulerian.net': 'edge.eulerian.net',
    });
    const lookup = createCnameLookup([server]);
    const hosts = ['data.shop.example', 'cdn.shop.example', 'data.shop.example'];
    for (let scan = 0; scan < 2; scan++) {
      expect(await lookup(hosts)).toEqual(
        new Map([['data.shop.example', ['shop.eulerian.net', 'edge.eulerian.net']]]),
      );
    }
    expect(asked.toSorted()).toEqual([
      'cdn.shop.example',
      'data.shop.example',
      'edge.eulerian.net',
      'shop.eulerian.net',
    ]);
  });

  it('stop at a loop', async () => {
    const { server } = await startNameServer({
      'a.shop.example': 'b.shop.example',
      'b.shop.example': 'a.shop.example',
    });
    const found = await createCnameLookup([server])(['a.shop.example']);
    expect(found.get('a.shop.example')).toEqual(['b.shop.example']);
  });

  it('are skipped after a name server timeout', async () => {
    const { asked, server } = await startNameServer({}, true);
    const lookup = createCnameLookup([server]);
    expect(await lookup(['a.shop.example'])).toEqual(new Map());
    const before = asked.length;
    expect(await lookup(['b.shop.example'])).toEqual(new Map());
    expect(asked).toHaveLength(before);
  });

  it('are empty without a name server', async () => {
    expect(await createCnameLookup(['127.0.0.1:9'])(['a.shop.example'])).toEqual(new Map());
  });
});
