import autocannon from 'autocannon';
import { cpuMicroseconds } from './process-usage.ts';
import type { Running } from './server.ts';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
const ROUNDS = 5;
const ROUND_SECONDS = 3;

/** A request that is sent over and over, and the only answer that counts as one. */
export interface Probe {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
  expectBody: string;
}

/** What one server did in one round. */
export interface Round {
  perSecond: number;
  /** Processor time of the server, all its threads, for one request. */
  cpuMicroseconds: number;
}

/**
 * Loads two servers in turn, A B A B …, with the same request: what else the machine does meanwhile
 * falls on both, so that the ratio of a pair says more than its two figures.
 */
export async function compare(
  servers: { ours: Running; bare: Running },
  probe: Probe,
): Promise<{ ours: Round[]; bare: Round[] }> {
  await load(servers.ours, probe, WARM_UP_SECONDS);
  await load(servers.bare, probe, WARM_UP_SECONDS);
  const rounds: { ours: Round[]; bare: Round[] } = { ours: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rounds.ours.push(await load(servers.ours, probe, ROUND_SECONDS));
    rounds.bare.push(await load(servers.bare, probe, ROUND_SECONDS));
  }
  return rounds;
}

async function load(server: Running, probe: Probe, seconds: number): Promise<Round> {
  const { path, ...request } = probe;
  const cpuBefore = cpuMicroseconds(server.pid);
  const result = await autocannon({
    ...request,
    url: server.url + path,
    connections: CONNECTIONS,
    pipelining: 1,
    duration: seconds,
  });
  const cpuSpent = cpuMicroseconds(server.pid) - cpuBefore;
  const { requests, duration, errors, mismatches, statusCodeStats } = result;
  const statuses = Object.keys(statusCodeStats ?? {}).join(', ');
  if (errors > 0 || mismatches > 0 || statuses !== '200') {
    throw new Error(
      `${path} did not always give the expected answer: ${errors} errors, ${mismatches} other bodies, statuses ${statuses}`,
    );
  }
  return { perSecond: requests.total / duration, cpuMicroseconds: cpuSpent / requests.total };
}
