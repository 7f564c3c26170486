import { reservePort } from '../../support/ports.ts';
import { type ServerProcess, startServer } from '../../support/process.ts';
import { DATABASE_USER, startPooler } from './cluster.ts';
import { Link } from './link.ts';
import type { Owner, Programs } from './processes.ts';

/** A machine with Pavis and its pooler. It reaches the database over a link that can be cut. */
export class Node {
  readonly port: number;
  readonly env: Record<string, string>;
  readonly #link: Link;
  #server: ServerProcess | undefined;

  static async create(
    name: string,
    databasePort: number,
    shared: Record<string, string>,
    place: { folder: string; owner: Owner; programs: Programs },
  ): Promise<Node> {
    const link = await Link.to(databasePort);
    const poolerPort = await startPooler(name, link.port, place);
    const { name: user, password } = DATABASE_USER;
    const toUrl = (port: number) => `postgres://${user}:${password}@127.0.0.1:${port}/pavis`;
    const port = await reservePort();
    const env = {
      ...shared,
      PAVIS_PORT: String(port),
      PAVIS_DATABASE_URL: toUrl(poolerPort),
      PAVIS_DATABASE_DIRECT_URL: toUrl(link.port),
    };
    return new Node(port, env, link);
  }

  private constructor(port: number, env: Record<string, string>, link: Link) {
    this.port = port;
    this.env = env;
    this.#link = link;
  }

  /** @param main the `pavis.js` of another version */
  async start(main?: string): Promise<void> {
    // Once more if the machine stood still and the time to start is over.
    this.#server = await startServer(this.env, main).catch(() => startServer(this.env, main));
  }

  get log(): string {
    return this.#server?.log() ?? '';
  }

  /** Shuts down gracefully. @returns the exit code */
  async stop(): Promise<number | null> {
    return (await this.#server?.stop('SIGTERM')) ?? null;
  }

  async kill(): Promise<void> {
    await this.#server?.stop('SIGKILL');
  }

  cutFromDatabase(): void {
    this.#link.cut();
  }

  rejoinDatabase(): void {
    this.#link.mend();
  }

  async close(): Promise<void> {
    await this.kill();
    this.#link.close();
  }
}
