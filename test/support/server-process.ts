import { afterAll, beforeAll } from 'vitest';
import { dataFolder, type ServerProcess, startServer } from './process.ts';

/** A server process for the tests of one block. */
interface BlockServer extends Pick<ServerProcess, 'http' | 'log'> {
  /** Its data folder. */
  folder: string;
  /** The environment for commands that use the same data. */
  env: Record<string, string>;
}

/** @param more environment variables besides the data folder */
export function useServerProcess(more: Record<string, string> = {}): BlockServer {
  const { path, remove } = dataFolder();
  const env: Record<string, string> = { PAVIS_DATA_DIR: path, ...more };
  const block: Partial<BlockServer> = { folder: path, env };
  let stop: ServerProcess['stop'] | undefined;
  beforeAll(async () => {
    const started = await startServer(env);
    stop = started.stop;
    Object.assign(block, { http: started.http, log: started.log });
  });
  afterAll(async () => {
    await stop?.('SIGKILL');
    remove();
  });
  return block as BlockServer;
}
