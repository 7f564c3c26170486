import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** A server with the launchers above it. */
interface Group {
  url: string;
  child: ChildProcess;
  /** The process id of the server, below its launchers. */
  pid: number;
  log(): string;
  /** Sends a signal to the process group, like a terminal and systemd. */
  signal(signal: NodeJS.Signals): void;
  ended: Promise<number | null>;
}

/** Starts the server in its own process group, which is killed at the end of the test. */
export async function startGroup(command: string[], env: Record<string, string>): Promise<Group> {
  const [file = '', ...args] = command;
  const { PATH, HOME } = process.env;
  const child = spawn(file, args, {
    env: { PATH, HOME, PAVIS_PORT: '0', PAVIS_DEMO: 'off', ...env },
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {}
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'close').then(([code]) => code);
  const ready = /"url":"([^"]+)","pid":(\d+),"msg":"ready"/;
  await vi.waitFor(() => expect(log).toMatch(ready), { timeout: 60_000, interval: 20 });
  const [, url = '', pid] = ready.exec(log) ?? [];
  return {
    ...{ url, child, pid: Number(pid), log: () => log, ended },
    signal: (signal) => process.kill(-(child.pid as number), signal),
  };
}
