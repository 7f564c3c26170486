import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import {
  dataFolder,
  pavisJson,
  type ServerProcess,
  startedLater,
  startServer,
} from '../support/process.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const PAVIS_SECRET = 'one secret for all nodes, long enough';
const HOUR_MS = 3_600_000;
const TYPES = ['licence.issued', 'activation.created'];
/** Leaves time for duplicates. */
const QUIET_MS = 1_500;

describe.each(ENGINES)('webhooks of a server on %s', (engine) => {
  const folder = dataFolder();
  let database: TestDatabase;
  let env: Record<string, string>;
  let receiver: WebhookReceiver;
  let secret: string;

  beforeAll(async () => {
    database = await createDatabase(engine);
    receiver = await new WebhookReceiver().start();
    env = {
      PAVIS_DATA_DIR: folder.path,
      PAVIS_DATABASE_URL: database.url,
      PAVIS_SECRET,
      PAVIS_PRIVATE_WEBHOOKS: 'on',
    };
    const args = ['webhook', 'create', receiver.url, '--events', TYPES.join(',')];
    ({ secret } = await pavisJson(args, env));
  });
  afterAll(async () => {
    await receiver?.stop();
    await database?.drop();
    folder.remove();
  });

  async function start(more: Record<string, string> = {}): Promise<ServerProcess> {
    const server = await startServer({ ...env, ...more });
    onTestFinished(async () => {
      await server.stop('SIGKILL');
    });
    return server;
  }
  const issue = (): Promise<{ id: string; key: string }> => {
    const buyer = ['--email', 'buyer@example.org', '--tier', 'agency', '--days', '30'];
    return pavisJson(['licence', 'issue', ...buyer], env);
  };
  const activate = async (server: ServerProcess, key: string, count: number, name: string) => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        server.http.site('activate', key, `https://${name}-${n}.example.org`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(200));
    return answers.map(({ json }) => json.activation_id as number).toSorted((a, b) => a - b);
  };
  /** Ids of the activations whose events were answered with 200, once for each answer. */
  const activationsTaken = () =>
    receiver.received
      .filter(({ status, event }) => status === 200 && event.type === 'activation.created')
      .map(({ event }) => event.data.activation.id as number)
      .toSorted((a, b) => a - b);

  it('arrive exactly once after the receiver was down and the server was killed', async () => {
    await receiver.stop();
    const first = await start();
    const { key } = await issue();
    const activated = await activate(first, key, 20, 'down');
    await first.stop('SIGKILL');
    await receiver.start();
    // After the leases of the killed server and the delay of the first retry.
    const second = await start(startedLater(HOUR_MS));
    await expect
      .poll(() => receiver.taken.length, { timeout: 60_000, interval: 100 })
      .toBeGreaterThanOrEqual(21);
    await wait(QUIET_MS);
    expect(activationsTaken()).toEqual(activated);
    expect(new Set(receiver.taken).size).toBe(21);
    expect(await second.stop('SIGTERM')).toBe(0);
  }, 120_000);

  it('are retried under the same id after errors, redirects and silence', async () => {
    const inside = await new WebhookReceiver().start();
    const { key } = await issue();
    let later = HOUR_MS;
    receiver.received.length = 0;
    let activated: number[] = [];
    for (const mood of [500, { redirect: inside.url }, 'hangs'] as const) {
      receiver.mood = mood;
      const before = receiver.received.length;
      later += 3 * HOUR_MS;
      const server = await start(startedLater(later));
      if (activated.length === 0) activated = await activate(server, key, 4, 'errors');
      await expect
        .poll(() => receiver.received.length, { timeout: 60_000, interval: 100 })
        .toBeGreaterThan(before);
      await server.stop('SIGKILL');
    }
    await inside.stop();
    expect(inside.received).toEqual([]);
    receiver.mood = 200;
    const server = await start(startedLater(later + 9 * HOUR_MS));
    await expect
      .poll(() => activationsTaken(), { timeout: 60_000, interval: 100 })
      .toEqual(activated);
    await wait(QUIET_MS);
    expect(activationsTaken()).toEqual(activated);
    const ids = new Map<number, Set<string>>();
    for (const { id, event } of receiver.received) {
      const activation = event.data.activation?.id;
      if (activation === undefined) continue;
      ids.set(activation, (ids.get(activation) ?? new Set()).add(id));
    }
    expect([...ids.values()].map((each) => each.size)).toEqual([1, 1, 1, 1]);
    expect(await server.stop('SIGTERM')).toBe(0);
  }, 180_000);

  it('that were being sent when the server was killed arrive with the id they had', async () => {
    receiver.received.length = 0;
    receiver.mood = 'hangs';
    const far = 30 * HOUR_MS;
    const first = await start(startedLater(far));
    const { key } = await issue();
    const activated = await activate(first, key, 3, 'killed');
    await expect.poll(() => receiver.received.length, { interval: 50 }).toBeGreaterThanOrEqual(3);
    await first.stop('SIGKILL');
    const tried = new Set(receiver.received.map(({ id }) => id));
    receiver.mood = 200;
    await start(startedLater(far + HOUR_MS));
    await expect
      .poll(() => activationsTaken(), { timeout: 60_000, interval: 100 })
      .toEqual(activated);
    for (const id of tried) expect(receiver.taken.filter((each) => each === id)).toEqual([id]);
  }, 120_000);

  it('are signed so that the library of Standard Webhooks accepts them', async () => {
    receiver.received.length = 0;
    receiver.mood = 200;
    await start();
    const { id } = await issue();
    // Others may arrive again: the server of the test before was killed, perhaps before it had recorded an answer.
    const find = () => receiver.received.find(({ event }) => event.data.licence?.id === id);
    await expect.poll(find, { timeout: 60_000, interval: 100 }).toBeDefined();
    const { body = '', headers } = find() ?? {};
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'licence.issued' });
  }, 120_000);
});

/** As a client does: a busy machine answers 503, and the site asks again. */
async function activateUntilAccepted(node: ServerProcess, key: string, siteUrl: string) {
  for (;;) {
    const answer = await node.http.site('activate', key, siteUrl);
    if (answer.status !== 503) return answer;
    await wait(1_000);
  }
}

describe('webhooks of two nodes on one PostgreSQL database', () => {
  const folder = dataFolder();
  let database: TestDatabase;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    database = await createDatabase('postgres');
    receiver = await new WebhookReceiver().start();
  });
  afterAll(async () => {
    await receiver?.stop();
    await database?.drop();
    folder.remove();
  });

  it('arrive exactly once, whichever node the change was made on', async () => {
    const env = {
      PAVIS_DATA_DIR: folder.path,
      PAVIS_DATABASE_URL: database.url,
      PAVIS_SECRET,
      PAVIS_PRIVATE_WEBHOOKS: 'on',
    };
    await pavisJson(['webhook', 'create', receiver.url, '--events', TYPES.join(',')], env);
    const nodes = await Promise.all([startServer(env), startServer(env)]);
    onTestFinished(async () => {
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
    });
    const [a, b] = nodes;
    const licences = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        pavisJson(
          ['licence', 'issue', '--email', `b${n}@example.org`, '--tier', 'agency', '--days', '9'],
          env,
        ),
      ),
    );
    const answers = await Promise.all(
      licences.flatMap(({ key }) =>
        Array.from({ length: 25 }, (_, n) =>
          activateUntilAccepted(n % 2 ? a : b, key, `https://site-${n}.example.org`),
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await expect
      .poll(() => receiver.taken.length, { timeout: 60_000, interval: 100 })
      .toBeGreaterThanOrEqual(104);
    await wait(QUIET_MS);
    expect(receiver.taken).toHaveLength(104);
    expect(new Set(receiver.taken).size).toBe(104);
    const activated = answers.map(({ json }) => json.activation_id).toSorted((x, y) => x - y);
    const told = receiver.received
      .filter(({ event }) => event.type === 'activation.created')
      .map(({ event }) => event.data.activation.id)
      .toSorted((x, y) => x - y);
    expect(told).toEqual(activated);
    // Each node has told its own counts of attempts; together they are all.
    const counts = await Promise.all(
      nodes.map(async ({ http }) => {
        const { text } = await http.get('/metrics');
        return Number(/result="delivered"} (\d+)/.exec(text)?.[1]);
      }),
    );
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(104);
  }, 120_000);
});
