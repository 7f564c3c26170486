import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CHOICE } from '../../choice.ts';
import { hasWrk } from '../../load/wrk.ts';
import { load, type Probe, type Round } from '../../load.ts';
import { cpuMicroseconds, residentMb } from '../../process-usage.ts';
import { median } from '../../report.ts';
import { install, type Running, startPavis } from '../../server.ts';
import { C15T, countRows, installC15t, startC15t } from './c15t.ts';

const ROUNDS = 8;
const ROUND_SECONDS = 3;
const WARM_UP_SECONDS = 4;
/** Until a server has answered what wrk no longer waits for, and has logged its choices. */
const PAUSE_MS = 2_000;

interface Contestant {
  name: string;
  server: Running;
  probe: Probe;
}

interface Measured {
  name: string;
  rounds: Round[];
  /** Of the process after the rounds. */
  mb: number;
  /** All successful requests, with those of the warm-up. */
  requests: number;
}

/** The same choice: its five categories, of which two are rejected. */
const PEER_CHOICE: Probe = {
  method: 'POST',
  path: '/subjects',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    type: 'cookie_banner',
    subjectId: 'sub_VISITOR',
    domain: 'example.com',
    preferences: {
      necessary: true,
      functionality: true,
      measurement: true,
      marketing: false,
      experience: false,
    },
    givenAt: Date.now(),
    consentAction: 'custom',
    uiSource: 'banner',
    jurisdictionModel: 'opt-in',
  }),
  idFormat: 'base58',
  isAnswer: (body) => body.includes('"consentId":"cns_'),
};

const OUR_CONFIGURATION: Probe = {
  method: 'GET',
  path: '/wp-json/svc/v1/consent/status',
  isAnswer: (body) => JSON.parse(body).enabled === true,
};

const PEER_CONFIGURATION: Probe = {
  method: 'GET',
  path: '/init',
  isAnswer: (body) => JSON.parse(body).policy.ui.mode === 'banner',
};

/** One round. After choices, the processor time includes a pause in which a server does what it has put off. */
async function loadOnce({ server, probe }: Contestant, seconds: number): Promise<Round> {
  const cpuBefore = cpuMicroseconds(server.pid);
  const round = await load(server, probe, seconds);
  if (probe.method === 'POST') await setTimeout(PAUSE_MS);
  const cpuSpent = cpuMicroseconds(server.pid) - cpuBefore;
  return { ...round, cpuMicroseconds: cpuSpent / round.requests };
}

/** Loads both in turn. Which is first changes from round to round. */
async function compare(ours: Contestant, peer: Contestant): Promise<[Measured, Measured]> {
  const measured = (contestant: Contestant) => ({ contestant, rounds: [] as Round[], requests: 0 });
  const both = [measured(ours), measured(peer)] as const;
  for (const each of both) {
    each.requests += (await loadOnce(each.contestant, WARM_UP_SECONDS)).requests;
  }
  for (let at = 0; at < ROUNDS; at++) {
    for (const each of at % 2 === 0 ? both : both.toReversed()) {
      const round = await loadOnce(each.contestant, ROUND_SECONDS);
      each.rounds.push(round);
      each.requests += round.requests;
    }
  }
  const finish = ({ contestant, rounds, requests }: (typeof both)[number]): Measured => ({
    name: contestant.name,
    rounds,
    requests,
    mb: residentMb(contestant.server.pid),
  });
  return [finish(both[0]), finish(both[1])];
}

function print(title: string, [ours, peer]: [Measured, Measured]): void {
  const figures: [string, (round: Round) => number][] = [
    ['Requests/s', ({ perSecond }) => perSecond],
    ['p50, ms', ({ p50 }) => p50],
    ['p99, ms', ({ p99 }) => p99],
    ['Processor time, µs/request', ({ cpuMicroseconds }) => cpuMicroseconds],
  ];
  const lines = figures.map(([name, read]) => {
    const [a, b] = [ours.rounds.map(read), peer.rounds.map(read)];
    const ratios = b.map((figure, round) => figure / (a[round] ?? Number.NaN));
    return `| ${name} | ${spread(a)} | ${spread(b)} | ${spread(ratios)} |`;
  });
  process.stdout.write(`
${title}

| Median of ${ROUNDS} rounds (lowest to highest) | ${ours.name} | ${peer.name} | ${peer.name} to ${ours.name}, same round |
| --- | ---: | ---: | ---: |
${lines.join('\n')}
| Memory after the rounds, MB | ${format(ours.mb)} | ${format(peer.mb)} | |
`);
}

const spread = (values: number[]): string =>
  `${format(median(values))} (${format(Math.min(...values))} to ${format(Math.max(...values))})`;

const format = (value: number): string =>
  value.toLocaleString(
    'en',
    value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  );

/** An answer that was not kept would not count: each successful request has a row. */
function assertStored(name: string, rows: number, requests: number): void {
  if (rows < requests) throw new Error(`${name} kept ${rows} choices of ${requests}`);
  process.stdout.write(`\n${name}: ${requests} choices acknowledged, ${rows} stored.\n`);
}

async function measure(folder: string): Promise<void> {
  await using installation = await install();
  const peerFile = join(installation.env.PAVIS_DATA_DIR ?? '', 'c15t.db');
  let choices: [Measured, Measured];
  {
    await using pavis = await startPavis(installation.env);
    await using c15t = await startC15t(folder, peerFile);
    const contest = (ourProbe: Probe, peerProbe: Probe) =>
      compare(
        { name: 'Pavis', server: pavis, probe: ourProbe },
        { name: 'c15t', server: c15t, probe: peerProbe },
      );
    print('Configuration of the banner', await contest(OUR_CONFIGURATION, PEER_CONFIGURATION));
    choices = await contest(CHOICE, PEER_CHOICE);
    print('Consent choices', choices);
  }
  const [ours, peer] = choices;
  const ourFile = join(installation.env.PAVIS_DATA_DIR ?? '', 'pavis.db');
  assertStored('Pavis', countRows(ourFile, 'consent_records'), ours.requests);
  assertStored('c15t', countRows(peerFile, 'consent'), peer.requests);
}

if (!hasWrk()) throw new Error('Install wrk: it is the load generator of this comparison.');
const [named] = process.argv.slice(2);
const folder = named ?? mkdtempSync(join(tmpdir(), 'pavis-c15t-'));
try {
  process.stderr.write(`installing ${C15T} ...\n`);
  await installC15t(folder);
  process.stdout.write(
    `Pavis and ${C15T}, Node.js ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model}\n`,
  );
  await measure(folder);
} finally {
  if (!named) rmSync(folder, { recursive: true, force: true });
}
