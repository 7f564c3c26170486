import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROJECT } from '../check/cruised.ts';

/** The path of PHP: `PAVIS_PHP`, or that of the system. Undefined if there is none. */
export const PHP: string | undefined =
  process.env.PAVIS_PHP ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'php'))
    .find((file) => existsSync(file));

export interface PhpClient {
  /** Runs a command of test/php/client.php. `sent` counts requests to the server. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, which the tests check
  run(command: { do: string; now: number } & Record<string, unknown>): Promise<any>;
  close(): void;
}

/** Starts PHP with a generated licence client. */
export function startPhpClient(
  file: string,
  className: string,
  siteUrl: string,
  store: string,
): PhpClient {
  const script = join(PROJECT, 'test/php/client.php');
  const child: ChildProcess = spawn(PHP ?? 'php', [script, file, className, siteUrl, store], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('PHP has no output.');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(command) {
      child.stdin?.write(`${JSON.stringify(command)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('PHP has ended.');
      try {
        return JSON.parse(value);
      } catch {
        throw new Error(value);
      }
    },
    close: () => child.stdin?.end(),
  };
}
