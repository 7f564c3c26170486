import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, type HttpClient } from './client.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const READY_TIMEOUT_MS = 30_000;

export interface ServerProcess {
  url: string;
  http: HttpClient;
  child: ChildProcess;
  log(): string;
  /** Asks the server to end; gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** An empty data folder; remove it after use. */
export function dataFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'pavis-data-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The environment of a child: nothing of Pavis' but what is given. */
const environment = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PAVIS_RATE_LIMIT_VALIDATE: 'off',
  PAVIS_RATE_LIMIT_ACTIVATE: 'off',
  PAVIS_DEMO: 'off',
  ...env,
});

/** Runs one command line of Pavis to its end. */
export async function pavis(args: string[], env: Record<string, string>): Promise<Finished> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: environment(env), cwd: tmpdir() });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** Starts the server as a process of its own on a free port, and waits until it is ready. */
export async function startServer(env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: environment({ PAVIS_PORT: '0', ...env }),
    cwd: tmpdir(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready: ${log}`)), READY_TIMEOUT_MS);
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${log}`)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const ready = /"url":"([^"]+)".*"msg":"ready"/.exec(log)?.[1];
      if (!ready) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(ready);
    });
  });
  return {
    url,
    http: client(url),
    child,
    log: () => log,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}
