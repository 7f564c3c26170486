import { createServer } from 'node:net';

/** Below the ports that systems give to clients and to servers on port 0. */
const FIRST = 20_000;
const PER_WORKER = 1_500;
const WORKERS = 8;

const worker = Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS;
// Another run on this machine starts elsewhere in the range.
let reserved = process.pid;

/** Whether nobody listens on a port of this machine. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * A port for a server that starts later. Unlike one that the system has chosen, no other program gets it meanwhile: each
 * worker of the test run has a range of its own.
 */
export async function reservePort(): Promise<number> {
  for (let tries = 0; tries < PER_WORKER; tries += 1) {
    const port = FIRST + worker * PER_WORKER + (reserved++ % PER_WORKER);
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}
