import { setTimeout as wait } from 'node:timers/promises';
import { residentMb } from './process-usage.ts';
import type { Finding } from './report.ts';
import { command, install, type Running, startBare, startPavis } from './server.ts';

const STARTS = 7;
const IDLE_MS = 2_000;

/** The time from start to ready with a migrated database, and the memory of an idle server. */
export async function start(): Promise<Finding[]> {
  await using installation = await install();
  const { env } = installation;
  await command('migrate', env);
  const startBareOnce = () =>
    startBare({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' });
  // Not measured, because it fills the compile cache.
  await measure(() => startPavis(env));

  const ours: Start[] = [];
  const bare: Start[] = [];
  for (let round = 0; round < STARTS; round++) {
    ours.push(await measure(() => startPavis(env)));
    bare.push(await measure(startBareOnce));
  }
  return [
    {
      bench: 'start: to ready',
      unit: 's',
      figures: ours.map(({ seconds }) => seconds),
      bare: bare.map(({ seconds }) => seconds),
      bar: { of: 'figure', atMost: 0.5 },
    },
    {
      bench: 'start: idle memory',
      unit: 'MB',
      figures: ours.map(({ idleMb }) => idleMb),
      bare: bare.map(({ idleMb }) => idleMb),
      bar: { of: 'figure', atMost: 110 },
    },
  ];
}

interface Start {
  seconds: number;
  idleMb: number;
}

async function measure(launch: () => Promise<Running>): Promise<Start> {
  await using server = await launch();
  await wait(IDLE_MS);
  return { seconds: server.startedInMs / 1000, idleMb: residentMb(server.pid) };
}
