import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROJECT } from '../check/cruised.ts';

/** The path of a program that is installed; undefined without it. */
export const findProgram = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

const found = process.env.PAVIS_PHP ?? findProgram('php');

const hasExtensions = (php: string): boolean =>
  spawnSync(php, ['-r', "exit((int) !(extension_loaded('curl') && extension_loaded('sodium')));"])
    .status === 0;

/** The path of a PHP with curl and sodium: `PAVIS_PHP`, or that of the system. Undefined if there is none. */
export const PHP: string | undefined =
  found !== undefined && hasExtensions(found) ? found : undefined;

export interface PhpProcess {
  /** Sends a command as JSON, and returns what the script answers. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, which the tests check
  run(command: { do: string } & Record<string, unknown>): Promise<any>;
  close(): void;
}

/** Starts a script of test/php that runs commands. */
export function startPhp(name: string, ...args: string[]): PhpProcess {
  const script = join(PROJECT, 'test/php', name);
  const child: ChildProcess = spawn(PHP ?? 'php', [script, ...args], {
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
