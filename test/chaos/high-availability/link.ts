import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { reservePort } from '../../support/ports.ts';

/** A network link to a port that can be cut: packets are lost, and nobody is told. */
export class Link {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isCut = false;

  private constructor(port: number, target: number) {
    this.port = port;
    this.#server = createServer((near) => {
      const far = connect(target, '127.0.0.1');
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
      near.once('close', () => far.destroy());
      far.once('close', () => {
        near.destroy();
        this.#pairs.delete(pair);
      });
      if (!this.#isCut) near.pipe(far).pipe(near);
    });
  }

  static async to(target: number): Promise<Link> {
    const link = new Link(await reservePort(), target);
    await once(link.#server.listen(link.port, '127.0.0.1'), 'listening');
    return link;
  }

  cut(): void {
    this.#isCut = true;
    for (const [near, far] of this.#pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  /** Connections from before are lost, as after a long interruption. */
  mend(): void {
    if (!this.#isCut) return;
    this.#isCut = false;
    this.#dropConnections();
  }

  #dropConnections(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  close(): void {
    this.#dropConnections();
    this.#server.close();
  }
}
