import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to a port that can be blocked: it drops traffic without closing connections. */
export async function gateTo(port: number) {
  const pairs = new Set<readonly [Socket, Socket]>();
  let open = true;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    near.once('close', () => far.destroy()).once('error', () => pairs.delete(pair));
    far.once('close', () => near.destroy()).once('error', () => pairs.delete(pair));
    if (open) near.pipe(far).pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: String((server.address() as AddressInfo).port),
    block() {
      open = false;
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    unblock() {
      open = true;
      for (const [near, far] of pairs) near.pipe(far).pipe(near);
    },
    close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      server.close();
    },
  };
}
