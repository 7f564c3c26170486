import { loadWithAutocannon } from './load/autocannon.ts';
import { createVisitorId, type LoadResult, type Request } from './load/load-result.ts';
import { hasWrk, loadWithWrk } from './load/wrk.ts';
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
export interface Probe extends Request {
  isAnswer: (body: string) => boolean;
}

/** What one server did in one round. */
export interface Round extends LoadResult {
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

/** Bars of one bench: of the processor time, which a busy machine disturbs least, and of the requests a second. */
export interface Bars {
  cpu?: Bar;
  perSecond?: Bar;
  p99?: Bar;
}

/** The processor time first, beside it the requests a second and how long the slowest took. */
export function throughput(bench: string, { ours, bare }: Rounds, bars: Bars): Finding[] {
  const bareUse = median(bare.map((round) => (round.perSecond * round.cpuMicroseconds) / 1e6));
  const note =
    bareUse < SATURATED
      ? `${bench}: the bare server used ${Math.round(bareUse * 100)} % of a processor, so the load was its limit and the ratio of requests flatters`
      : undefined;
  const finding = (name: string, unit: string, key: keyof Round, bar?: Bar): Finding => ({
    bench: name,
    unit,
    figures: ours.map((round) => round[key]),
    bare: bare.map((round) => round[key]),
    ...(bar && { bar }),
  });
  return [
    finding(`${bench}: processor time`, 'µs/request', 'cpuMicroseconds', bars.cpu),
    { ...finding(bench, 'requests/s', 'perSecond', bars.perSecond), note },
    finding(`${bench}: p50`, 'ms', 'p50'),
    finding(`${bench}: p99`, 'ms', 'p99', bars.p99),
  ];
}

/** Loads a server for one round and compares its answer to the probe before and after. */
export async function load(server: Running, probe: Probe, seconds: number): Promise<Round> {
  const run = hasWrk() ? loadWithWrk : loadWithAutocannon;
  await check(server, probe);
  const cpuBefore = cpuMicroseconds(server.pid);
  const result = await run(server.url, probe, { connections: CONNECTIONS, seconds });
  const cpuSpent = cpuMicroseconds(server.pid) - cpuBefore;
  await check(server, probe);
  return { ...result, cpuMicroseconds: cpuSpent / result.requests };
}

/** The load only counts statuses, so the body is looked at before and after. */
async function check({ url }: Running, { method, path, headers, body, idFormat, isAnswer }: Probe) {
  const answer = await fetch(url + path, {
    method,
    ...(headers && { headers }),
    ...(body && { body: body.replace('VISITOR', createVisitorId(idFormat)) }),
  });
  const text = await answer.text();
  if (!isAnswer(text)) throw new Error(`${path} answered ${answer.status}: ${text}`);
}
