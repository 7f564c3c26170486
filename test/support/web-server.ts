import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A web server on a free port, for one test. Open connections are closed at the end of the test. */
export async function startWebServer(
  listener: RequestListener,
): Promise<{ origin: string; port: number; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, server };
}

/** A service in the internal network that must not be reached. Counts connections. */
export async function startCanary(): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const { port, server } = await startWebServer((_request, response) => response.end('secret'));
  server.on('connection', () => connections++);
  return { port, connections: () => connections };
}
