import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { reservePort } from '../../support/ports.ts';
import { Member, SUPERUSER } from './member.ts';
import type { Owner, Programs } from './processes.ts';
import { until } from './until.ts';

export const DATABASE_USER = { name: 'pavis', password: 'pavis-password' };
const START_TIMEOUT_MS = 120_000;
const ETCD_TIMEOUT_MS = 30_000;

interface PatroniView {
  members: { name: string; role: string; state: string; lag?: number | string }[];
}

async function hasDecidedVersion(url: string): Promise<true | undefined> {
  const response = await fetch(`${url}/version`).catch(() => undefined);
  const { etcdcluster } = ((await response?.json()) ?? {}) as { etcdcluster?: string };
  return /^\d/.test(etcdcluster ?? '') || undefined;
}

/** Three members with one etcd. */
export class Cluster {
  readonly members: readonly Member[];

  private constructor(members: readonly Member[]) {
    this.members = members;
  }

  static async start(
    folder: string,
    owner: Owner,
    programs: Programs,
    binaries: string,
  ): Promise<Cluster> {
    const [etcdPort, peerPort] = [await reservePort(), await reservePort()];
    const own = `http://127.0.0.1:${etcdPort}`;
    const peer = `http://127.0.0.1:${peerPort}`;
    const etcd = ['--name', 'etcd', '--data-dir', join(folder, 'etcd')];
    etcd.push('--listen-client-urls', own, '--advertise-client-urls', own);
    etcd.push('--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer);
    // A busy machine must not make it look dead.
    etcd.push('--initial-cluster', `etcd=${peer}`, '--election-timeout', '5000');
    programs.start('etcd', 'etcd', etcd, owner);
    // Patroni 3.0.2 ends at once while etcd has not decided which version of its interface it speaks.
    await until('etcd', () => hasDecidedVersion(own), ETCD_TIMEOUT_MS);
    const place = { folder, owner, programs, binaries, etcdPort };
    const names = ['pg1', 'pg2', 'pg3'];
    const members = await Promise.all(names.map((name) => Member.create(name, place)));
    for (const member of members) member.start();
    const cluster = new Cluster(members);
    await cluster.untilComplete();
    return cluster;
  }

  /** Creates the user and the database of Pavis, as an administrator does. */
  async createDatabase(): Promise<void> {
    const leader = await this.getLeader();
    const client = new pg.Client({
      host: '127.0.0.1',
      port: leader.postgresPort,
      user: SUPERUSER.username,
      password: SUPERUSER.password,
      database: 'postgres',
    });
    await client.connect();
    const { name, password } = DATABASE_USER;
    await client.query(`create role ${name} login password '${password}'`);
    await client.query(`create database ${name} owner ${name}`);
    await client.end();
  }

  /** What the members say about themselves; empty if none responds. */
  async #view(): Promise<PatroniView['members']> {
    for (const { restPort } of this.members) {
      try {
        const signal = AbortSignal.timeout(2_000);
        const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal });
        return ((await answer.json()) as PatroniView).members;
      } catch {
        // Another member may respond.
      }
    }
    return [];
  }

  async #find(role: string): Promise<Member | undefined> {
    const name = (await this.#view()).find((each) => each.role === role)?.name;
    return this.members.find((member) => member.name === name);
  }

  getLeader(): Promise<Member> {
    return until('a leader', () => this.#find('leader'), START_TIMEOUT_MS);
  }

  getSynchronousStandby(): Promise<Member> {
    return until('a standby', () => this.#find('sync_standby'), START_TIMEOUT_MS);
  }

  /** Waits until there are a leader, a synchronous standby and another standby that follows. */
  async untilComplete(): Promise<void> {
    await until(
      'all members of the cluster',
      async () => {
        const members = await this.#view();
        const roles = members
          .filter(({ state, lag = 0 }) => /^(?:running|streaming)$/.test(state) && lag === 0)
          .map(({ role }) => role)
          .toSorted();
        return roles.join() === 'leader,replica,sync_standby' || undefined;
      },
      START_TIMEOUT_MS,
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map((member) => member.close()));
  }
}

/** Starts the pooler of one node. @returns its port */
export async function startPooler(
  name: string,
  databasePort: number,
  { folder, owner, programs }: { folder: string; owner: Owner; programs: Programs },
): Promise<number> {
  const port = await reservePort();
  const users = join(folder, `${name}.users`);
  const configuration = join(folder, `${name}.ini`);
  writeFileSync(users, `"${DATABASE_USER.name}" "${DATABASE_USER.password}"\n`, { mode: 0o600 });
  if (owner) chownSync(users, owner.uid, owner.gid);
  writeFileSync(
    configuration,
    `[databases]
pavis = host=127.0.0.1 port=${databasePort} dbname=pavis

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 10
max_client_conn = 100
server_connect_timeout = 3
server_login_retry = 1
query_wait_timeout = 5
server_check_delay = 5
`,
  );
  programs.start(name, 'pgbouncer', [configuration], owner);
  return port;
}
