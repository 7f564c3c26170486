import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The user that programs run as which refuse to run as root; undefined for the current one. */
export type Owner = { uid: number; gid: number } | undefined;

/** The programs of a run. Their output goes to files, and all end with the run. */
export class Programs {
  readonly #running = new Set<ChildProcess>();
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  start(name: string, command: string, args: string[], owner: Owner): ChildProcess {
    const output = openSync(join(this.#folder, `${name}.log`), 'a');
    const { PATH } = process.env;
    const env = { PATH, HOME: this.#folder, LC_ALL: 'C.UTF-8' };
    const stdio = ['ignore', output, output] as const;
    const child = spawn(command, args, { ...owner, cwd: this.#folder, env, stdio: [...stdio] });
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    child.once('error', () => this.#running.delete(child));
    return child;
  }

  /** Kills what is still running. */
  async end(): Promise<void> {
    await Promise.all(
      [...this.#running].map(async (child) => {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }),
    );
  }
}

/** A process and all that it started. */
export function listFamily(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const parent = findParent(Number(name));
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = [root];
  for (const pid of family) family.push(...(children.get(pid) ?? []));
  return family;
}

/** Undefined if the process has ended. */
function findParent(pid: number): number | undefined {
  try {
    // The name before it is in brackets and may contain spaces.
    const [, parent] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(parent);
  } catch {
    return undefined;
  }
}

/** Sends a signal to processes, of which some may have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}
