import type { BareAnswer } from './bare-server.ts';
import { CHOICE } from './choice.ts';
import { type Bars, compare, throughput } from './load.ts';
import { type Finding, median } from './report.ts';
import { command, type Engine, install, type Running, startBare, startPavis } from './server.ts';

const RECORDS = 1_000_000;

/** `POST /consent`, durable before the response: with an empty database, and with a million records. */
export async function consent(): Promise<Finding[]> {
  return [...(await measure('sqlite')), ...(await measure('postgres'))];
}

async function measure(engine: Engine): Promise<Finding[]> {
  const bare: BareAnswer = {
    status: 200,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: '{"id":1000000,"message":"Consent recorded."}',
  };
  const load = (ours: () => Promise<Running>) =>
    compare({ ours, bare: () => startBare(bare) }, CHOICE);
  const empty = await load(() => startEmpty(engine));
  await using installation = await install(engine);
  const { env } = installation;
  await command(`seed --consents ${RECORDS}`, env);
  const full = await load(() => startPavis(env));

  const cpu = (rounds: typeof empty) => median(rounds.ours.map((each) => each.cpuMicroseconds));
  const bars: Bars =
    engine === 'sqlite'
      ? {
          cpu: { of: 'figure', atMost: 30 },
          perSecond: { of: 'figure', atLeast: 32_000 },
          p99: { of: 'figure', atMost: 5 },
        }
      : { perSecond: { of: 'figure', atLeast: 16_000 } };
  return [
    ...throughput(`consent, ${engine}, empty`, empty, bars),
    ...throughput(`consent, ${engine}, a million records`, full, {
      cpu: { of: 'figure', atMost: 1.1 * cpu(empty) },
    }),
  ];
}

/** A server of an installation of its own: after all rounds, a shared one would have a million records. */
async function startEmpty(engine: Engine): Promise<Running> {
  await using made = new AsyncDisposableStack();
  const { env } = made.use(await install(engine));
  const server = made.use(await startPavis(env));
  const kept = made.move();
  return { ...server, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
