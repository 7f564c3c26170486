import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { reservePort } from '../../support/ports.ts';
import { Link } from './link.ts';
import { listFamily, type Owner, type Programs, signalAll } from './processes.ts';

/** Of the guide, apart from `fsync`: processes end here, not machines. */
const CLUSTER_SETTINGS = {
  ttl: 20,
  loop_wait: 5,
  retry_timeout: 5,
  maximum_lag_on_failover: 1_048_576,
  primary_start_timeout: 0,
  synchronous_mode: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: {
      max_connections: 100,
      wal_log_hints: 'on',
      client_connection_check_interval: '2s',
      fsync: 'off',
    },
  },
};
/** `ttl` less Patroni's safety margin of 5 s. There is no watchdog device for processes, so its reset is played. */
const WATCHDOG_MS = 15_000;
const ACCOUNTS = {
  superuser: { username: 'postgres', password: 'postgres-password' },
  replication: { username: 'replicator', password: 'replicator-password' },
  rewind: { username: 'rewinder', password: 'rewinder-password' },
};
export const SUPERUSER = ACCOUNTS.superuser;

interface Place {
  folder: string;
  owner: Owner;
  programs: Programs;
  /** Where the programs of PostgreSQL are. */
  binaries: string;
  etcdPort: number;
}

/** A machine with PostgreSQL and Patroni. Others reach it, and it reaches etcd, over links that can be cut. */
export class Member {
  readonly name: string;
  readonly #place: Place;
  readonly #data: string;
  readonly #links: { postgres: Link; rest: Link; etcd: Link };
  readonly #configuration: string;
  #patroni: ChildProcess | undefined;
  #reset: Promise<void> | undefined;

  static async create(name: string, place: Place): Promise<Member> {
    const ports = { postgres: await reservePort(), rest: await reservePort() };
    const links = {
      postgres: await Link.to(ports.postgres),
      rest: await Link.to(ports.rest),
      etcd: await Link.to(place.etcdPort),
    };
    return new Member(name, place, ports, links);
  }

  private constructor(
    name: string,
    place: Place,
    ports: { postgres: number; rest: number },
    links: { postgres: Link; rest: Link; etcd: Link },
  ) {
    this.name = name;
    this.#place = place;
    this.#links = links;
    this.#data = join(place.folder, name);
    this.#configuration = join(place.folder, `${name}.yml`);
    // JSON is YAML.
    const settings = {
      scope: 'pavis',
      name,
      restapi: {
        listen: `127.0.0.1:${ports.rest}`,
        connect_address: `127.0.0.1:${links.rest.port}`,
      },
      // Without `use_proxies`, it would ask etcd for its address and not use the link.
      etcd3: { hosts: `127.0.0.1:${links.etcd.port}`, use_proxies: true },
      bootstrap: {
        dcs: CLUSTER_SETTINGS,
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums', 'no-sync'],
      },
      postgresql: {
        listen: `127.0.0.1:${ports.postgres}`,
        connect_address: `127.0.0.1:${links.postgres.port}`,
        data_dir: this.#data,
        bin_dir: place.binaries,
        pgpass: join(place.folder, `${name}.pgpass`),
        authentication: ACCOUNTS,
        parameters: { unix_socket_directories: '', password_encryption: 'scram-sha-256' },
        pg_hba: [
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication replicator 127.0.0.1/32 scram-sha-256',
        ],
      },
    };
    writeFileSync(this.#configuration, JSON.stringify(settings, null, 2));
  }

  get postgresPort(): number {
    return this.#links.postgres.port;
  }

  get restPort(): number {
    return this.#links.rest.port;
  }

  start(): void {
    const { programs, owner } = this.#place;
    this.#patroni = programs.start(this.name, 'patroni', [this.#configuration], owner);
  }

  get isRunning(): boolean {
    return this.#patroni !== undefined;
  }

  /** As if the machine lost power. */
  async kill(): Promise<void> {
    const patroni = this.#patroni;
    const ended = patroni && patroni.exitCode === null && once(patroni, 'exit');
    signalAll(this.#listProcesses(), 'SIGKILL');
    await ended;
    this.#patroni = undefined;
  }

  /** As if the machine stalled: its connections stay open and nothing answers, until its watchdog resets it. */
  stall(): void {
    signalAll(this.#listProcesses(), 'SIGSTOP');
    this.#reset = wait(WATCHDOG_MS).then(() => this.kill());
  }

  /** Resolves when the watchdog of a machine that stalled has reset it. */
  untilReset(): Promise<void> | undefined {
    return this.#reset;
  }

  /** Cuts the machine off from everybody. */
  isolate(): void {
    for (const link of Object.values(this.#links)) link.cut();
  }

  rejoin(): void {
    for (const link of Object.values(this.#links)) link.mend();
  }

  async close(): Promise<void> {
    await this.kill();
    for (const link of Object.values(this.#links)) link.close();
  }

  /** Patroni starts PostgreSQL as a process that outlives it. */
  #listProcesses(): number[] {
    const roots = [this.#patroni?.pid, readPostmaster(this.#data)];
    return roots.flatMap((pid) => (pid === undefined ? [] : listFamily(pid)));
  }
}

function readPostmaster(data: string): number | undefined {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  } catch {
    return undefined;
  }
}
