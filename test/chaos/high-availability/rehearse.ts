import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pavis, startedLater } from '../../support/process.ts';
import type { Cluster } from './cluster.ts';
import { compareMails, compareWebhooks, findLost } from './evidence.ts';
import { buildInstallation, type Place } from './installation.ts';
import { LIMIT_MS, Load } from './load.ts';
import { writeNextVersion } from './next-version.ts';
import { Pauses } from './pauses.ts';
import type { Report } from './report.ts';
import { JOB_TIMEOUT_MS, ReconnectingClient, RetentionRuns } from './retention-runs.ts';
import { runScenario } from './scenario.ts';
import { until } from './until.ts';

/** Emails and webhooks that were being sent when a node was killed may arrive again, under the same id. */
const REPEATED_AT_MOST = 10;
const ARRIVAL_TIMEOUT_MS = 120_000;
const LEASE_MS = 121_000;

/** @param closing gets what ends the parts of the installation */
export async function rehearse(
  place: Place,
  report: Report,
  closing: (() => unknown)[],
): Promise<void> {
  const { url, cluster, nodes, mails, receiver, key } = await buildInstallation(
    place,
    report,
    closing,
  );
  const [first, second, third] = nodes;
  const db = new ReconnectingClient(first.env.PAVIS_DATABASE_DIRECT_URL as string);
  await checkDoctor(report, first.env);

  const load = new Load(url, key);
  load.start();
  const pauses = new Pauses();
  closing.push(() => load.stop());
  const retention = new RetentionRuns(db);

  await runScenario(report, load, pauses, {
    name: 'nothing happens',
    act: () => wait(1_000),
    mayFail: 'none',
  });
  await runScenario(report, load, pauses, {
    name: 'all Pavis nodes are restarted, one after the other',
    act: async () => {
      for (const node of nodes) {
        const code = await node.stop();
        report.check(code === 0, 'the node exits with 0', String(code));
        await node.start();
        await wait(3_000);
      }
    },
    mayFail: 'none',
  });
  await runScenario(report, load, pauses, {
    name: 'a Pavis node is killed',
    act: async () => {
      await first.kill();
      await retention.untilDone();
      await retention.makeDue();
    },
    repair: async () => {
      await retention.untilDone();
      report.check(true, 'the other nodes run the background job that falls due');
      await first.start();
    },
    mayFail: 'lost',
  });
  await runScenario(report, load, pauses, {
    name: 'a Pavis node loses its network to the database',
    act: async () => second.cutFromDatabase(),
    repair: async () => second.rejoinDatabase(),
    mayFail: 'stale',
  });

  const next = writeNextVersion(join(place.folder, 'next'));
  await runScenario(report, load, pauses, {
    name: 'all nodes get a version with another schema, one after the other; the change takes 10 s',
    act: async () => {
      for (const node of nodes) {
        await node.stop();
        await node.start(next);
        await wait(3_000);
      }
    },
    mayFail: 'none',
  });
  const { code, stderr } = await pavis(['migrate', '--status'], first.env);
  report.check(
    code === 1 && stderr.includes('newer version'),
    'the earlier version refuses to start on the new schema',
    stderr.trim(),
  );

  await runScenario(report, load, pauses, {
    name: 'the machine of the PostgreSQL leader loses power',
    act: async () => killAndRemember(report, cluster),
    repair: () => restartMembers(cluster),
    mayFail: '503',
  });
  await runScenario(report, load, pauses, {
    name: 'the machine of the synchronous standby loses power',
    act: async () => {
      await retention.untilDone();
      await retention.makeDue();
      await (await cluster.getSynchronousStandby()).kill();
    },
    repair: () => restartMembers(cluster),
    mayFail: '503',
  });
  await runScenario(report, load, pauses, {
    name: 'the PostgreSQL leader is cut off from the network',
    act: async () => (await cluster.getLeader()).isolate(),
    repair: async () => {
      for (const member of cluster.members) member.rejoin();
      await cluster.untilComplete();
    },
    mayFail: '503',
  });
  await runScenario(report, load, pauses, {
    name: 'the PostgreSQL leader stalls, with open connections, until its watchdog resets it',
    act: async () => (await cluster.getLeader()).stall(),
    repair: async () => {
      for (const member of cluster.members) await member.untilReset();
      await restartMembers(cluster);
    },
    mayFail: '503',
  });
  await runScenario(report, load, pauses, {
    name: 'nothing happens',
    act: () => wait(3_000),
    mayFail: 'none',
  });

  report.say('');
  report.say('the load ends');
  await load.stop();
  const { acknowledged } = load;
  report.say(
    `      ${load.succeeded} requests succeeded, ${load.failures.length} failed, the slowest took ${(load.slowestMs / 1_000).toFixed(1)} s`,
  );
  if (pauses.count > 0) {
    report.say(
      `      the machine stood still ${pauses.count} times, at most ${Math.round(pauses.longestMs / 1_000)} s`,
    );
  } else report.check(load.slowestMs < LIMIT_MS, 'every request is answered within 20 s');
  const lost = await db.use((client) => findLost(client, acknowledged));
  const counts = {
    'consent choices': acknowledged.consents.size,
    activations: acknowledged.sites.size,
    'privacy requests': acknowledged.requests.size,
  } as Record<string, number>;
  for (const [kind, names] of Object.entries(lost)) {
    const claim = `none of ${counts[kind]} acknowledged ${kind} is lost`;
    report.check(names.length === 0, claim, names.slice(0, 3).join(', '));
  }
  await checkArrivals(report, 'emails', () => compareMails(mails, acknowledged));
  await checkArrivals(report, 'webhooks', () => compareWebhooks(receiver, acknowledged));
  await retention.untilDone();

  report.say('');
  report.say('a node is killed in the middle of a background job');
  await second.stop();
  await third.stop();
  await db.use(async (client) => {
    await client.query('begin');
    await client.query('lock table retention_runs');
    await retention.makeDue();
    await until('the lease of the job', () => retention.isLeased(), JOB_TIMEOUT_MS);
    await first.kill();
    await client.query('rollback');
  });
  // After the lease of the killed node.
  for (const node of [second, third]) {
    Object.assign(node.env, startedLater(LEASE_MS));
    await node.start(next);
  }
  await retention.untilDone();
  report.check(true, 'another node does the job when the lease has expired');
  await wait(2_000);
  report.check(
    await retention.ranOnceEach(),
    'each background job ran once',
    `${await retention.count()} runs, ${retention.wanted} due`,
  );
  writeFileSync(join(place.folder, 'nodes.log'), nodes.map(({ log }) => log).join('\n'));
}

/** What `pavis doctor` says with the URL of PgBouncer, with and without the direct one. */
async function checkDoctor(report: Report, env: Record<string, string>): Promise<void> {
  const { PAVIS_DATABASE_DIRECT_URL: _, ...withoutDirect } = env;
  const findLine = async (name: string, settings: Record<string, string>) =>
    (await pavis(['doctor'], settings)).stdout.split('\n').find((line) => line.includes(name)) ??
    '';
  const standbys = await findLine('standbys', env);
  report.check(/^ok .* 2; each write/.test(standbys), 'doctor sees the standbys', standbys);
  const notifications = await findLine('notifications', env);
  report.check(notifications.endsWith('delivered'), 'doctor sees notifications', notifications);
  const refused = await findLine('database', withoutDirect);
  const names = /^FAIL .*PAVIS_DATABASE_DIRECT_URL/;
  report.check(names.test(refused), 'doctor names the missing direct URL', refused);
}

async function killAndRemember(report: Report, cluster: Cluster): Promise<void> {
  const leader = await cluster.getLeader();
  report.say(`      the leader is ${leader.name}`);
  await leader.kill();
}

/** Starts the members that are down. */
async function restartMembers(cluster: Cluster): Promise<void> {
  for (const member of cluster.members) if (!member.isRunning) member.start();
  await cluster.untilComplete();
}

async function checkArrivals(
  report: Report,
  what: string,
  compare: () => { missing: string[]; repeated: string[] },
): Promise<void> {
  const hasAll = async () => compare().missing.length === 0 || undefined;
  await until(`all ${what}`, hasAll, ARRIVAL_TIMEOUT_MS).catch(() => undefined);
  const { missing, repeated } = compare();
  report.check(missing.length === 0, `no ${what} are missing`, missing.slice(0, 3).join(', '));
  const found = `${repeated.length} arrived twice, under the same id`;
  report.check(repeated.length <= REPEATED_AT_MOST, `${what} arrive once`, found);
}
