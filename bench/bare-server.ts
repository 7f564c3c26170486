import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the bare server answers to every request. */
export interface BareAnswer {
  status: number;
  /** All headers but the length, and those that Node adds itself. */
  headers: Record<string, string>;
  body: string;
}

// A process of its own, as what it is held against: the answer comes as its first argument.
const { status, headers: given, body }: BareAnswer = JSON.parse(process.argv[2] ?? '');
const headers = { ...given, 'content-length': Buffer.byteLength(body) };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A text, not a buffer: Node then writes head and body at once.
  request.on('end', () => response.writeHead(status, headers).end(body));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stderr.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid, msg: 'ready' })}\n`,
  );
});
process.once('SIGTERM', () => process.exit(0));
