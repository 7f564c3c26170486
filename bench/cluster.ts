import autocannon from 'autocannon';
import { cpuMicroseconds } from './process-usage.ts';
import { type Finding, median } from './report.ts';
import { command, install, type Running, startPavis } from './server.ts';

const ROUNDS = 7;
const ROUND_SECONDS = 2;
const CONNECTIONS = 64;

/** `POST /licence/validate` on one node and on two nodes that share a PostgreSQL server, in turn. */
export async function cluster(): Promise<Finding[]> {
  await using installation = await install('postgres');
  const { env } = installation;
  const issue = 'licence issue --email bench@example.com --tier pro --sites 3 --days 365';
  const { key } = await command(issue, env);
  await using one = await startPavis(env);
  await using other = await startPavis(env);
  const ask = (nodes: Running[]) => load(nodes, key);
  await ask([one, other]);

  const single: Round[] = [];
  const both: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    single.push(await ask([one]));
    both.push(await ask([one, other]));
  }
  const free = 2 - median(single.map(({ processors }) => processors));
  return [
    {
      bench: 'cluster: two nodes beside one',
      unit: 'requests/s',
      figures: both.map(({ perSecond }) => perSecond),
      bare: single.map(({ perSecond }) => perSecond),
      bar: { of: 'ratio', atLeast: 1.6 },
      note: `cluster: one node and its load leave ${free.toFixed(1)} of two processors to a second node and its load`,
    },
    {
      bench: 'cluster: processor time of the nodes',
      unit: 'µs/request',
      figures: both.map(({ cpuMicroseconds: each }) => each),
      bare: single.map(({ cpuMicroseconds: each }) => each),
    },
  ];
}

interface Round {
  perSecond: number;
  cpuMicroseconds: number;
  /** Processors that the nodes and the load generators kept busy. */
  processors: number;
}

async function load(nodes: Running[], key: string): Promise<Round> {
  const sumCpu = () => nodes.reduce((sum, { pid }) => sum + cpuMicroseconds(pid), 0);
  const [before, ownBefore] = [sumCpu(), process.cpuUsage()];
  const began = performance.now();
  const results = await Promise.all(
    nodes.map(({ url }) =>
      autocannon({
        url: `${url}/licence/validate`,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-licence-key': key },
        body: JSON.stringify({ licence_key: key, site_url: 'https://example.com' }),
        connections: CONNECTIONS / nodes.length,
        duration: ROUND_SECONDS,
      }),
    ),
  );
  const failed = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0);
  if (failed > 0) throw new Error(`${failed} requests were not answered with 200`);
  const requests = results.reduce((sum, each) => sum + each.requests.total, 0);
  const seconds = (performance.now() - began) / 1_000;
  const spent = sumCpu() - before;
  const own = process.cpuUsage(ownBefore);
  return {
    perSecond: requests / ROUND_SECONDS,
    cpuMicroseconds: spent / requests,
    processors: (spent + own.user + own.system) / 1e6 / seconds,
  };
}
