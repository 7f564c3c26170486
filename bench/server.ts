import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/support/postgres.ts';
import { dataFolder, pavisJson } from '../test/support/process.ts';
import type { BareAnswer } from './bare-server.ts';

const MAIN = join(import.meta.dirname, '../bin/pavis.js');
const BARE = join(import.meta.dirname, 'bare-server.ts');
const READY_TIMEOUT_MS = 30_000;
/** Seeding ten million records takes long. */
const COMMAND_TIMEOUT_MS = 7_200_000;

/** A server in its own process, which ends when it is disposed. */
export interface Running extends AsyncDisposable {
  url: string;
  pid: number;
  /** From the spawn to the log line with `ready`. */
  startedInMs: number;
}

export type Engine = 'sqlite' | 'postgres';

/** An empty installation, which is removed when it is disposed. */
export interface Installation extends AsyncDisposable {
  /** Environment variables for Pavis. */
  env: Record<string, string>;
}

/** Creates an installation. For PostgreSQL it starts a server that is as durable as in production. */
export async function install(engine: Engine = 'sqlite'): Promise<Installation> {
  const folder = dataFolder();
  process.once('exit', folder.remove);
  const postgres = engine === 'postgres' ? await startPostgres({ durable: true }) : undefined;
  return {
    env: {
      PAVIS_DATA_DIR: folder.path,
      // Contains the compile cache, so that a run does not depend on earlier ones.
      TMPDIR: folder.path,
      NODE_ENV: 'production',
      ...(postgres && {
        PAVIS_DATABASE_URL: postgres.url('postgres'),
        PAVIS_SECRET: 'a secret for the time of a measurement only',
      }),
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', folder.remove);
      await postgres?.stop();
      folder.remove();
    },
  };
}

/** Runs a command of Pavis with `--json` and returns its output. */
export const command = (line: string, env: Record<string, string>) =>
  pavisJson(line.split(' '), env, { timeoutMs: COMMAND_TIMEOUT_MS });

/** Starts Pavis in production mode on a free port, without rate limits on the measured routes. */
export function startPavis(env: Record<string, string>): Promise<Running> {
  return launch([MAIN, 'serve'], {
    PAVIS_PORT: '0',
    PAVIS_RATE_LIMIT_VALIDATE: 'off',
    PAVIS_LOG_LEVEL: 'info',
    ...env,
  });
}

const ADDED_BY_NODE = ['connection', 'content-length', 'date', 'keep-alive'];

/** The response of Pavis for the bare server, with the same headers and the same size. */
export function toBareAnswer({ status, headers }: Response, body: string): BareAnswer {
  const own = [...headers].filter(([name]) => !ADDED_BY_NODE.includes(name));
  return { status, headers: Object.fromEntries(own), body };
}

/** Starts a server that only responds, as the limit of what Node.js can do on this machine. */
export function startBare(answer: BareAnswer): Promise<Running> {
  return launch([BARE, JSON.stringify(answer)], { NODE_ENV: 'production' });
}

/** Starts a Node.js process and waits until it logs `ready` with its address. */
export async function launch(args: string[], env: Record<string, string>): Promise<Running> {
  const { PATH, HOME } = process.env;
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, ...env },
    cwd: tmpdir(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const end = async () => {
    process.off('exit', kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  try {
    const url = await untilReady(child);
    const startedInMs = performance.now() - spawnedAt;
    return { url, pid: child.pid as number, startedInMs, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Waits for the address in the log line with `ready`. */
function untilReady(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let log = '';
  const timer = setTimeout(() => reject(new Error(`not ready: ${log}`)), READY_TIMEOUT_MS);
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`ended with ${code}: ${log}`)));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
    const url = /"url":"([^"]+)".*"msg":"ready"/.exec(log)?.[1];
    if (!url) return;
    // Further lines are read and dropped, so that the process does not block on a full pipe.
    child.stderr?.removeAllListeners('data').resume();
    resolve(url);
  });
  return promise.finally(() => clearTimeout(timer));
}

/**
 * Sends a request to the plugin REST API that can take longer than the five minutes after which `fetch` times out.
 * @throws Error for any status but 200
 */
export async function sendAs(
  authorization: string,
  { url }: Running,
  method: string,
  path: string,
  body?: object,
): Promise<IncomingMessage> {
  const sent = request(`${url}/wp-json/svc/v1${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
  });
  sent.end(body && JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
  return response;
}

/** Creates an administrator. Returns a function that sends requests to the plugin REST API of a server. */
export async function createAdministrator(env: Record<string, string>) {
  await command('user create bench --email bench@example.com --role administrator', env);
  const { password } = await command('user app-password bench --name bench', env);
  const authorization = `Basic ${Buffer.from(`bench:${password}`).toString('base64')}`;
  return async ({ url }: Pick<Running, 'url'>, method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/wp-json/svc/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
}
