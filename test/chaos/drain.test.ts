import { execFileSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavis, pavisJson } from '../support/process.ts';
import { startGroup } from '../support/process-group.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONSENT = '/wp-json/svc/v1/consent';
const EXPORT = '/wp-json/svc/v1/consent/records/export?format=json';
const CALLERS = 12;
const RECORDS = 30_000;

/** A Node.js other than the pinned one, with which the launcher runs the server as a child process. */
function otherNode(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const folder of folders.filter((each) => !each.includes('node_modules'))) {
    const node = join(folder, 'node');
    try {
      const version = execFileSync(node, ['-p', 'process.version'], { encoding: 'utf8' }).trim();
      if (version !== process.version) return node;
    } catch {}
  }
  return process.execPath;
}

const LAUNCHER = [otherNode(), join(ROOT, 'bin/pavis.js'), 'serve'];

const decision = (visitor: string) =>
  JSON.stringify({
    visitor_id: visitor,
    consent_action: 'accept_all',
    categories_accepted: [],
    categories_rejected: [],
  });

const rawDecision = (visitor: string) => {
  const body = decision(visitor);
  return `POST ${CONSENT} HTTP/1.1\r\nHost: pavis\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

/** Sends a choice over the connections of an agent. Returns its status or the error code. */
function decide(url: string, agent: Agent, visitor: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url + CONSENT, { method: 'POST', agent, headers }, (answer) => {
      answer.once('error', (error) => resolve(`${error.message} in an answer`));
      answer.once('end', () => resolve(answer.complete ? String(answer.statusCode) : 'cut answer'));
      answer.resume();
    });
    sent.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(
        code === 'ECONNREFUSED'
          ? code
          : `${code ?? message} on a ${sent.reusedSocket ? 'kept' : 'new'} connection`,
      ),
    );
    sent.end(decision(visitor));
  });
}

/** Clients that send choices without a pause, each on one connection, until the server stops accepting. */
function load(url: string, name: string) {
  const acknowledged: string[] = [];
  const failed: string[] = [];
  async function caller(n: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; ; round++) {
      const visitor = `${name}-${n}-${round}`;
      const answer = await decide(url, agent, visitor);
      if (answer === 'ECONNREFUSED') break;
      if (answer === '200') acknowledged.push(visitor);
      else failed.push(answer);
    }
    agent.destroy();
  }
  const ended = Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)));
  return { acknowledged, failed, ended };
}

/** A connection, with the data that it received and whether it was reset. */
function open(url: string) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname).setNoDelay();
  let text = '';
  let error: string | undefined;
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    error = code;
  });
  // Not by `once`, which rejects for an error.
  const closed = new Promise<string | undefined>((resolve) => {
    socket.once('close', () => resolve(error));
  });
  return { socket, text: () => text, statuses: () => text.match(/HTTP\/1\.1 \d+/g) ?? [], closed };
}

/** A connection with eight pipelined requests at any time, until the server announces its end. */
function pipeline(url: string, name: string) {
  const connection = open(url);
  const { socket, statuses, text } = connection;
  let sent = 0;
  const acknowledged = () => statuses().map((_, n) => `${name}-${n}`);
  function fill(): void {
    if (/connection: close/i.test(text())) return;
    while (sent < statuses().length + 8) socket.write(rawDecision(`${name}-${sent++}`));
  }
  socket.on('data', fill);
  fill();
  return { ...connection, acknowledged };
}

describe.each(ENGINES)('graceful shutdown on %s by signals to the process group', (engine) => {
  const folder = dataFolder();
  let database: TestDatabase;
  let env: Record<string, string>;
  let authorization: string;

  beforeAll(async () => {
    database = await createDatabase(engine);
    env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: database.url };
    await pavisJson(['seed', '--consents', String(RECORDS)], env, { timeoutMs: 60_000 });
    const user = ['user', 'create', 'ada', '--email', 'ada@example.org', '--role', 'administrator'];
    await pavisJson(user, env);
    const { password } = await pavisJson(['user', 'app-password', 'ada', '--name', 'test'], env);
    authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;
  });
  afterAll(async () => {
    await database?.drop();
    folder.remove();
  });

  async function storedVisitors(): Promise<Set<string>> {
    const days = ['--from', '2000-01-01', '--to', '2999-01-01'];
    const command = ['consent', 'export', ...days, '--format', 'json'];
    const { stdout } = await pavis(command, env, { timeoutMs: 60_000 });
    const records: { visitor_id: string }[] = JSON.parse(stdout);
    return new Set(records.map(({ visitor_id }) => visitor_id));
  }

  interface Way {
    name: string;
    command: string[];
    signal: NodeJS.Signals;
    /** Whether the exit code is that of the server. */
    exits?: false;
  }
  const ways: Way[] =
    engine === 'sqlite'
      ? [
          { name: 'npm start', command: ['npm', 'start'], signal: 'SIGTERM' },
          { name: 'npm start', command: ['npm', 'start'], signal: 'SIGINT' },
          // The signal ends the shell between npx and the server, which sets the exit code of npx.
          {
            name: 'npx pavis serve',
            command: ['npx', 'pavis', 'serve'],
            signal: 'SIGTERM',
            exits: false,
          },
          { name: 'the launcher', command: LAUNCHER, signal: 'SIGINT' },
        ]
      : [{ name: 'the launcher', command: LAUNCHER, signal: 'SIGTERM' }];

  it.each(ways)('loses no request under load when $name gets $signal three times', async (way) => {
    const group = await startGroup(way.command, env);
    const run = `${way.signal}-${way.name}`.replaceAll(' ', '-');
    const { acknowledged, failed, ended } = load(group.url, `caller-${run}`);
    const pipelines = [1, 2, 3].map((n) => pipeline(group.url, `pipeline-${run}-${n}`));
    const slow = open(group.url);
    const body = decision(`slow-${run}`);
    const headers = `Host: pavis\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    slow.socket.write(`POST ${CONSENT} HTTP/1.1\r\n${headers}\r\n\r\n${body.slice(0, 20)}`);
    const exporting = fetch(group.url + EXPORT, { headers: { authorization } }).then((answer) =>
      answer.json(),
    );
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(10 * CALLERS), {
      timeout: 30_000,
      interval: 20,
    });

    group.signal(way.signal);
    await vi.waitFor(() => expect(group.log()).toContain('"stopping'), {
      timeout: 30_000,
      interval: 5,
    });
    for (let sends = 0; sends < 2; sends++) {
      await wait(400);
      // The leader of npx' process group has ended.
      if (way.exits !== false) group.signal(way.signal);
      else process.kill(group.pid, way.signal);
    }
    slow.socket.write(body.slice(20));
    expect(((await exporting) as unknown[]).length).toBeGreaterThanOrEqual(RECORDS);
    expect([await slow.closed, slow.statuses()]).toEqual([undefined, ['HTTP/1.1 200']]);
    for (const each of pipelines) expect(await each.closed).toBeUndefined();
    await ended;
    const answeredAt = performance.now();
    if (way.exits !== false) expect(await group.ended).toBe(0);
    else await group.ended;
    // The server does not wait for idle connections.
    expect(performance.now() - answeredAt).toBeLessThan(10_000);

    expect(failed).toEqual([]);
    const stored = await storedVisitors();
    const expected = [
      ...acknowledged,
      ...pipelines.flatMap((each) => each.acknowledged()),
      `slow-${run}`,
    ];
    expect(expected.filter((visitor) => !stored.has(visitor))).toEqual([]);
  });

  it.each([
    { when: 'at once', waitMs: 0 },
    { when: 'while requests are held', waitMs: 600 },
  ])(
    'answers the requests that are pipelined behind one whose body is completed $when',
    async ({ waitMs }) => {
      // A busy machine can stop this process for so long that the server takes it for quiet and stops accepting.
      let stopping = await stopWithUnfinished(waitMs);
      for (let n = 0; n < 4 && !stopping.isAccepting; n++) {
        await stopping.group.ended;
        stopping = await stopWithUnfinished(waitMs);
      }
      const { group, rest, visitors } = stopping;
      const { socket, statuses, text, closed } = stopping.connection;
      expect(stopping.isAccepting).toBe(true);
      socket.write(rest);
      expect(await closed).toBeUndefined();
      expect(statuses()).toEqual(visitors.map(() => 'HTTP/1.1 200'));
      expect(text().match(/connection: close/gi)).toHaveLength(1);
      expect(await group.ended).toBe(0);
    },
  );

  /** Stops a server while it has the beginning of six pipelined requests. New connections make it hold requests for longer. */
  async function stopWithUnfinished(waitMs: number) {
    const group = await startGroup(LAUNCHER, env);
    const connection = open(group.url);
    const visitors = Array.from({ length: 6 }, (_, n) => `behind-${n}`);
    const all = visitors.map(rawDecision).join('');
    connection.socket.write(all.slice(0, 200));
    await wait(50);
    group.signal('SIGTERM');
    await vi.waitFor(() => expect(group.log()).toContain('"stopping'), {
      timeout: 30_000,
      interval: 5,
    });
    const connecting = setInterval(() => open(group.url), 40);
    await wait(waitMs);
    clearInterval(connecting);
    const last = open(group.url);
    const isAccepting = await new Promise<boolean>((resolve) => {
      last.socket.once('connect', () => resolve(true));
      last.socket.once('close', () => resolve(false));
    });
    if (!isAccepting) connection.socket.destroy();
    return { group, connection, visitors, rest: all.slice(200), isAccepting };
  }

  it('answers what a load balancer sends until it sees that the node is not ready', async () => {
    const group = await startGroup(LAUNCHER, env);
    for (let probe = 0; probe < 2; probe++)
      expect((await fetch(`${group.url}/readyz`)).status).toBe(200);
    const startedAt = performance.now();
    group.signal('SIGTERM');
    await vi.waitFor(() => expect(group.log()).toContain('"stopping'), {
      timeout: 30_000,
      interval: 5,
    });
    expect((await fetch(`${group.url}/readyz`)).status).toBe(503);
    const agent = new Agent({ keepAlive: false });
    const statuses = [];
    while (performance.now() - startedAt < 2_000) {
      statuses.push(await decide(group.url, agent, `balanced-${statuses.length}`));
      await wait(50);
    }
    expect(await group.ended).toBe(0);
    expect(new Set(statuses)).toEqual(new Set(['200']));
  });

  it('stops when npx alone gets a signal', async () => {
    const group = await startGroup(['npx', 'pavis', 'serve'], env);
    process.kill(group.child.pid as number, 'SIGTERM');
    await vi.waitFor(() => expect(() => process.kill(group.pid, 0)).toThrow(), {
      timeout: 30_000,
    });
    expect(group.log()).toContain('"stopping');
  });

  it('ends at once on a third signal, but not within five seconds', async () => {
    const group = await startGroup(LAUNCHER, env);
    const { socket } = open(group.url);
    socket.write(rawDecision('unfinished').slice(0, -1));
    await wait(50);
    let code: number | null | undefined;
    void group.ended.then((ended) => {
      code = ended;
    });
    const startedAt = performance.now();
    group.signal('SIGTERM');
    // A signal that is late on a busy machine is still within five seconds.
    for (const at of [1_000, 2_000, 3_500]) {
      await wait(startedAt + at - performance.now());
      expect(code).toBeUndefined();
      group.signal('SIGTERM');
    }
    await wait(startedAt + 5_500 - performance.now());
    expect(code).toBeUndefined();
    group.signal('SIGTERM');
    // Without the signal, the server would wait for the unfinished request and exit with 0.
    expect(await group.ended).toBe(143);
  });
});
