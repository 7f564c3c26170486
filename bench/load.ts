import { loadWithAutocannon } from './load/autocannon.ts';
import { createVisitorId, type LoadResult, type Request } from './load/load-result.ts';
import { hasWrk, loadWithWrk } from './load/wrk.ts';
import { cpuMicroseconds } from './process-usage.ts';
import { type Bar, type Finding, median } from './report.ts';
import type { Running } from './server.ts';

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 2;
/** Many short rounds, so that a disturbed one does not change the median. */
const ROUNDS = 9;
const ROUND_SECONDS = 2;
/** Below this share of a processor, the bare server was waiting for the load generator. */
const SATURATED = 0.9;

/** A request that is repeated, and its expected response. */
export interface Probe extends Request {
  isAnswer: (body: string) => boolean;
}

/** The measurement of one server in one round. */
export interface Round extends LoadResult {
  /** Processor time of all threads of the server per request. */
  cpuMicroseconds: number;
}

/** The rounds of both servers, in pairs. */
export interface Rounds {
  ours: Round[];
  bare: Round[];
}

/**
 * Loads two servers in turn with the same request. Other work on the machine affects both, so their ratio is more
 * reliable than the figures. Each round starts new processes: with the same code, the processor time per request differs
 * by up to 15 % from process to process.
 */
export async function compare(
  start: { ours: () => Promise<Running>; bare: () => Promise<Running> },
  probe: Probe,
): Promise<Rounds> {
  const rounds: Rounds = { ours: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    await using ours = await start.ours();
    await using bare = await start.bare();
    await load(ours, probe, WARM_UP_SECONDS);
    await load(bare, probe, WARM_UP_SECONDS);
    rounds.ours.push(await load(ours, probe, ROUND_SECONDS));
    rounds.bare.push(await load(bare, probe, ROUND_SECONDS));
  }
  return rounds;
}

/** Bars of a bench. A busy machine affects the processor time least. */
export interface Bars {
  cpu?: Bar;
  perSecond?: Bar;
  p99?: Bar;
}

/** Findings of the processor time, the requests per second and the latency. */
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

/** Loads a server for one round, and checks a response before and after it. */
export async function load(server: Running, probe: Probe, seconds: number): Promise<Round> {
  const run = hasWrk() ? loadWithWrk : loadWithAutocannon;
  await check(server, probe);
  const cpuBefore = cpuMicroseconds(server.pid);
  const result = await run(server.url, probe, { connections: CONNECTIONS, seconds });
  const cpuSpent = cpuMicroseconds(server.pid) - cpuBefore;
  await check(server, probe);
  return { ...result, cpuMicroseconds: cpuSpent / result.requests };
}

/** The load generator checks only the status. */
async function check({ url }: Running, { method, path, headers, body, idFormat, isAnswer }: Probe) {
  const answer = await fetch(url + path, {
    method,
    ...(headers && { headers }),
    ...(body && { body: body.replace('VISITOR', createVisitorId(idFormat)) }),
  });
  const text = await answer.text();
  if (!isAnswer(text)) throw new Error(`${path} answered ${answer.status}: ${text}`);
}
