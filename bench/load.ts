import autocannon from 'autocannon';
import { cpuMicroseconds } from './process-usage.ts';
import { type Bar, type Finding, median } from './report.ts';
import type { Running } from './server.ts';

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 2;
/** Many short rounds: what disturbs one pair is then far from the median. */
const ROUNDS = 9;
const ROUND_SECONDS = 2;
/** Below this share of one processor the bare server was waiting for its load. */
const SATURATED = 0.9;

/** A request that is sent over and over, and the answers that count as one. */
export interface Probe {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  /** The body of each request, where there is one. */
  body?: () => string;
  isAnswer: (body: string) => boolean;
}

/** What one server did in one round. */
interface Round {
  perSecond: number;
  /** Processor time of the server, all its threads, for one request. */
  cpuMicroseconds: number;
}

/** The rounds of two servers, in pairs. */
export interface Rounds {
  ours: Round[];
  bare: Round[];
}

/**
 * Loads two servers in turn, A B A B …, with the same request: what else the machine does meanwhile
 * falls on both, so that the ratio of a pair says more than its two figures.
 */
export async function compare(
  servers: { ours: Running; bare: Running },
  probe: Probe,
): Promise<Rounds> {
  await load(servers.ours, probe, WARM_UP_SECONDS);
  await load(servers.bare, probe, WARM_UP_SECONDS);
  const rounds: Rounds = { ours: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rounds.ours.push(await load(servers.ours, probe, ROUND_SECONDS));
    rounds.bare.push(await load(servers.bare, probe, ROUND_SECONDS));
  }
  return rounds;
}

/** Requests a second against the bar, and beside them the processor time, which a busy machine disturbs less. */
export function throughput(bench: string, { ours, bare }: Rounds, bar: Bar): Finding[] {
  const bareUse = median(bare.map((round) => (round.perSecond * round.cpuMicroseconds) / 1e6));
  const note =
    bareUse < SATURATED
      ? `${bench}: the bare server used ${Math.round(bareUse * 100)} % of a processor, so the load was its limit and the ratio of requests flatters`
      : undefined;
  return [
    {
      bench,
      unit: 'requests/s',
      figures: ours.map((round) => round.perSecond),
      bare: bare.map((round) => round.perSecond),
      bar,
      note,
    },
    {
      bench: `${bench}: processor time`,
      unit: 'µs/request',
      figures: ours.map((round) => round.cpuMicroseconds),
      bare: bare.map((round) => round.cpuMicroseconds),
    },
  ];
}

async function load(server: Running, probe: Probe, seconds: number): Promise<Round> {
  const { method, path, headers = {}, body, isAnswer } = probe;
  const cpuBefore = cpuMicroseconds(server.pid);
  const result = await autocannon({
    url: server.url + path,
    method,
    headers,
    requests: [body ? { setupRequest: (request) => ({ ...request, body: body() }) } : {}],
    verifyBody: (text) => isAnswer(String(text)),
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
