import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response of the bare server to every request. */
export interface BareAnswer {
  status: number;
  /** Without `Content-Length` and the headers that Node.js adds. */
  headers: Record<string, string>;
  body: string;
}

// Runs in its own process, like the server that it is compared with. The response is its first argument.
const { status, headers: given, body }: BareAnswer = JSON.parse(process.argv[2] ?? '');
const headers = { ...given, 'content-length': Buffer.byteLength(body) };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  // With a string, Node.js writes head and body at once.
  request.on('end', () => response.writeHead(status, headers).end(body));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stderr.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid, msg: 'ready' })}\n`,
  );
});
process.once('SIGTERM', () => process.exit(0));
