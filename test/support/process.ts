import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { client, type HttpClient } from './client.ts';

const MAIN = join(import.meta.dirname, '../../bin/pavis.js');
const COMMAND_HOST = join(import.meta.dirname, 'command-host.ts');
const CLOCK_AHEAD = pathToFileURL(join(import.meta.dirname, 'clock-ahead.ts'));
const READY_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 25_000;

export interface ServerProcess {
  url: string;
  http: HttpClient;
  child: ChildProcess;
  log(): string;
  /** The standard output of the process. */
  printed(): string;
  /** Sends a signal and waits for the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A message to `command-host.ts`. */
export interface CommandLine {
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/** The environment of a server that starts this much later, after earlier leases have expired. */
export const startedLater = (milliseconds: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${CLOCK_AHEAD}`,
  CLOCK_AHEAD_MS: String(milliseconds),
});

/** An empty data folder; remove it after use. */
export function dataFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'pavis-data-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The environment of a child process, without the Pavis variables of this process. */
const environment = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: tmpdir(),
  PAVIS_RATE_LIMIT_VALIDATE: 'off',
  PAVIS_RATE_LIMIT_ACTIVATE: 'off',
  PAVIS_RATE_LIMIT_DSAR: 'off',
  PAVIS_RATE_LIMIT_CHECKOUT: 'off',
  PAVIS_RATE_LIMIT_MAGIC_LINK: 'off',
  PAVIS_DEMO: 'off',
  ...env,
});

/** Whether a command leaves threads, connections or extensions behind, or bypasses `process.stdout`. */
const needsOwnProcess = ([command]: string[], env: Record<string, string>): boolean =>
  command === 'scan' ||
  (command === 'serve' && 'PAVIS_DATABASE_URL' in env) ||
  'PAVIS_EXTENSIONS' in env ||
  'PAVIS_LOG_LEVEL' in env;

/** A process with Pavis loaded that runs one command line at a time. */
let host: { process: ChildProcess; isBusy: boolean } | undefined;

/**
 * Runs a command line of Pavis. After the timeout the process is killed and the code is null. Reuses a process
 * unless the command needs its own, see `spawnPavis`.
 */
export async function pavis(
  args: string[],
  env: Record<string, string>,
  { cwd = tmpdir(), timeoutMs = COMMAND_TIMEOUT_MS } = {},
): Promise<Finished> {
  if (host?.isBusy || needsOwnProcess(args, env)) {
    return spawnPavis(args, env, { cwd, timeoutMs }).finished;
  }
  if (!host) {
    const child = fork(COMMAND_HOST, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    host = { process: child, isBusy: true };
    child.once('exit', () => {
      if (host?.process === child) host = undefined;
    });
    await once(child, 'message');
  }
  const at = host;
  at.isBusy = true;
  at.process.ref();
  const { promise, resolve } = Promise.withResolvers<Finished>();
  const onEnd = (code: number | null) => resolve({ code, stdout: '', stderr: '' });
  const timer = setTimeout(() => at.process.kill('SIGKILL'), timeoutMs);
  at.process.once('message', resolve).once('exit', onEnd);
  const line: CommandLine = { args, env: environment(env) as Record<string, string>, cwd };
  at.process.send(line);
  const finished = await promise;
  clearTimeout(timer);
  at.process.off('message', resolve).off('exit', onEnd);
  // The idle process must not keep the test run alive.
  at.process.unref();
  at.process.channel?.unref();
  at.isBusy = false;
  return finished;
}

/** Runs a command line in its own process, which can receive signals. */
export function spawnPavis(
  args: string[],
  env: Record<string, string>,
  { cwd = tmpdir(), timeoutMs = COMMAND_TIMEOUT_MS } = {},
): { process: ChildProcess; finished: Promise<Finished> } {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: environment(env),
    cwd,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const finished = once(child, 'close').then(([code]) => ({ code, stdout, stderr }));
  return { process: child, finished };
}

/** Runs a line in a shell. */
export async function runShell(line: string, env: Record<string, string>): Promise<Finished> {
  const { PATH, HOME } = process.env;
  const child = spawn('sh', ['-c', line], { env: { PATH, HOME, ...env }, cwd: tmpdir() });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** Runs a command with `--json` and returns the parsed output. Throws if the command fails. */
export async function pavisJson(
  args: string[],
  env: Record<string, string>,
  options: { cwd?: string; timeoutMs?: number } = {},
) {
  const { code, stdout, stderr } = await pavis([...args, '--json'], env, options);
  if (code !== 0 || stderr) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/**
 * Starts a server process on a free port and waits until it is ready.
 * @param main the `pavis.js` of another version
 */
export async function startServer(
  env: Record<string, string>,
  main = MAIN,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: environment({ PAVIS_PORT: '0', ...env }),
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => fail(`not ready: ${log}`), READY_TIMEOUT_MS);
    const onExit = (code: number | null) => fail(`ended with ${code}: ${log}`);
    function fail(message: string): void {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(message));
    }
    child.once('exit', onExit);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const ready = /"url":"([^"]+)".*"msg":"ready"/.exec(log)?.[1];
      if (!ready) return;
      clearTimeout(timer);
      child.off('exit', onExit);
      resolve(ready);
    });
  });
  return {
    url,
    http: client(url),
    child,
    log: () => log,
    printed: () => printed,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}
