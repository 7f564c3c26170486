import { once } from 'node:events';
import { Writable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { CHOICE } from './choice.ts';
import { LISTS, type Served, serve, timeBoth } from './lists.ts';
import { load } from './load.ts';
import type { Finding } from './report.ts';
import { command, type Engine, sendAs } from './server.ts';

const FEW = Number(process.env.PAVIS_BENCH_RECORDS ?? 1_000_000);
/** With ten times the records, each task takes at most this many times as long. */
const MANY = 10 * FEW;
const FLAT = 1.5;
const DAYS = 3_650;
/** Records expire a year after the choice. A tenth of them expired before this many days. */
const DAYS_OF_A_TENTH = DAYS * 0.9 - 365;
const ROUNDS = 5;
const ROUND_SECONDS = 2;

/** All tasks on consent records, with ten times the records. */
export async function manyRecords(engine: Engine): Promise<Finding[]> {
  await using few = await serve(engine, FEW, DAYS);
  await using many = await serve(engine, MANY, DAYS);
  const findings: Finding[] = [];
  const report = (what: string, unit: string, rounds: Pick<Finding, 'figures' | 'bare'>) =>
    findings.push({
      bench: `${what}, ${engine}, ${MANY.toLocaleString('en')} records beside ${FEW.toLocaleString('en')}`,
      unit,
      ...rounds,
      bar: { of: 'ratio', atMost: FLAT },
    });

  const questions = { ...LISTS, stats: () => 'stats' };
  for (const [what, pathOf] of Object.entries(questions)) {
    report(what, 'ms', await timeBoth(few, many, pathOf));
  }
  // Until it has logged the seeded records, the thread of the consent log uses processor time.
  for (const each of [few, many]) await untilLogged(each);
  const choices = { figures: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    choices.bare.push((await load(few.server, CHOICE, ROUND_SECONDS)).cpuMicroseconds);
    choices.figures.push((await load(many.server, CHOICE, ROUND_SECONDS)).cpuMicroseconds);
  }
  report('POST /consent: processor time', 'µs/request', choices);

  const perRecord: Record<string, (served: Served) => Promise<unknown>> = {
    export: exportRecords,
    'retention of a tenth': anonymiseTenth,
    ...(engine === 'sqlite' && {
      backup: ({ env }: Served) => command(`backup ${toCopyPath(env)}`, env),
    }),
  };
  for (const [what, run] of Object.entries(perRecord)) {
    const bare = [(await time(() => run(few))) / FEW];
    const figures = [(await time(() => run(many))) / MANY];
    report(what, 'µs/record', { figures, bare });
  }
  if (engine === 'sqlite') {
    const restore = async ({ env, server }: Served) => {
      await server[Symbol.asyncDispose]();
      return await time(() => command(`restore ${toCopyPath(env)}`, env));
    };
    const bare = [(await restore(few)) / FEW];
    report('restore', 'µs/record', { figures: [(await restore(many)) / MANY], bare });
  }
  return findings;
}

async function untilLogged({ ask }: Served): Promise<void> {
  while (((await ask('log')) as { not_logged: number }).not_logged > 0) await wait(1_000);
}

const toCopyPath = (env: Record<string, string>): string => `${env.PAVIS_DATA_DIR}/copy.db`;

/** The duration in microseconds. */
async function time(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) * 1_000;
}

async function exportRecords({ server, authorization }: Served): Promise<void> {
  const answer = await sendAs(authorization, server, 'GET', '/consent/records/export');
  await once(answer.pipe(new Writable({ write: (_, __, done) => done() })), 'finish');
}

async function anonymiseTenth({ env, server, records, authorization }: Served): Promise<void> {
  const policy = 'retention add --category consent_records --action anonymise --inactive';
  const { id } = await command(`${policy} --days ${DAYS_OF_A_TENTH}`, env);
  const ask = async (method: string, path: string, body: object) =>
    (await json(await sendAs(authorization, server, method, `/retention${path}`, body))) as {
      total_affected: number;
    };
  await ask('PUT', `/policies/${id}`, { is_active: 1 });
  const { total_affected: changed } = await ask('POST', '/run', { dry_run: false, policy_id: id });
  if (Math.abs(changed / records - 0.1) > 0.01) throw new Error(`the run changed ${changed}`);
}
