import { setTimeout as wait } from 'node:timers/promises';
import { findSegmentMerge, openDatastore } from '../src/platform/db/index.ts';
import { createLogger } from '../src/platform/log.ts';
import { type Finding, median } from './report.ts';
import { command, type Engine, install, type Running, startPavis } from './server.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const ROUNDS = 5;
const ASKED = 60;
const P50_MS = 5;
/** With a hundred times the records, a request takes at most this many times as long. */
const FLAT = 1.5;
const VISITORS = 100;

/** Pages and searches of consent records, with few records and with many. */
export const lists = (): Promise<Finding[]> => onBothEngines(LISTS);

/** Statistics, with few records and with many. */
export const stats = (): Promise<Finding[]> => onBothEngines({ stats: () => 'stats' });

/** Returns the path of the n-th request, by the name of the measurement. */
type Questions = Record<string, (n: number, installed: Installed) => string>;

interface Installed {
  records: number;
  visitor: (n: number) => string;
  env: Record<string, string>;
  server: Running;
  authorization: string;
}

export const LISTS: Questions = {
  'newest page': () => 'records',
  'page in the middle': (_, { records }) => `records?offset=${records / 2}`,
  'page of one action': () => 'records?consent_action=manage',
  'page of half a year': () => `records?date_from=${daysAgo(200)}&date_to=${daysAgo(20)}`,
  'search of a visitor': (n, { visitor }) => `records?search=${visitor(n)}`,
  'search of four characters': (n, { visitor }) => `records?search=${visitor(n).slice(0, 4)}`,
};

async function onBothEngines(questions: Questions): Promise<Finding[]> {
  return [...(await measure('sqlite', questions)), ...(await measure('postgres', questions))];
}

/** Sends requests to a server with few records and one with many, in turn. The figures are the medians of each round. */
async function measure(engine: Engine, questions: Questions): Promise<Finding[]> {
  await using few = await serve(engine, FEW);
  await using many = await serve(engine, MANY);
  const findings: Finding[] = [];
  for (const [what, pathOf] of Object.entries(questions)) {
    const { figures, bare } = await timeBoth(few, many, pathOf);
    const bench = `${what}, ${engine}, ${MANY.toLocaleString('en')} records`;
    const flat = { of: 'ratio', atMost: FLAT } as const;
    findings.push(
      { bench, unit: 'ms', figures, bar: { of: 'figure', atMost: P50_MS } },
      { bench: `- beside ${FEW.toLocaleString('en')}`, unit: 'ms', figures, bare, bar: flat },
    );
  }
  return findings;
}

/** Measures both servers in turn. */
export async function timeBoth(few: Served, many: Served, pathOf: Questions[string]) {
  const figures: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await timed(few, pathOf));
    figures.push(await timed(many, pathOf));
  }
  return { figures, bare };
}

/** The median response time in milliseconds. */
async function timed(served: Served, pathOf: Questions[string]): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < ASKED; n++) {
    const path = pathOf(n, served);
    const askedAt = performance.now();
    await served.ask(path);
    took.push(performance.now() - askedAt);
  }
  return median(took);
}

export interface Served extends Installed, AsyncDisposable {
  ask: (path: string) => Promise<unknown>;
}

/** Starts a server with the given number of records, spread over the given number of days. */
export async function serve(engine: Engine, records: number, days = 365): Promise<Served> {
  await using made = new AsyncDisposableStack();
  const { env } = made.use(await install(engine));
  await command(`seed --consents ${records} --days ${days}`, env);
  await command('user create bench --email bench@example.com --role administrator', env);
  const { password } = await command('user app-password bench --name bench', env);
  const server = made.use(await startPavis(env));
  if (engine === 'sqlite') await untilMerged(env);
  const authorization = `Basic ${Buffer.from(`bench:${password}`).toString('base64')}`;

  async function ask(path: string) {
    const answer = await fetch(`${server.url}/wp-json/svc/v1/consent/${path}`, {
      headers: { authorization },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  }
  const some: { visitor_id: string }[] = await ask(
    `records?per_page=${VISITORS}&offset=${Math.floor(records / 3)}`,
  );
  const visitor = (n: number): string => some[n % VISITORS]?.visitor_id ?? '';
  const kept = made.move();
  const served = { records, visitor, ask, env, server, authorization };
  return { ...served, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Waits until the server has merged the visitor index in the background. */
async function untilMerged({ PAVIS_DATA_DIR: folder }: Record<string, string>): Promise<void> {
  const datastore = await openDatastore(`sqlite:${folder}/pavis.db`, await createLogger('silent'));
  const visitors = { table: 'consent_records', column: 'visitor_id' };
  while (await findSegmentMerge(datastore.db, visitors)) await wait(1_000);
  await datastore.close();
}

const daysAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
