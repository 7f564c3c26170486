import { cluster } from './cluster.ts';
import { consent } from './consent.ts';
import { eventLoop } from './event-loop.ts';
import { lists, stats } from './lists.ts';
import { manyRecords } from './many-records.ts';
import { type Finding, toTable, writeResults } from './report.ts';
import { retention } from './retention.ts';
import { scan } from './scan.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { validate } from './validate.ts';

/** `node bench/index.ts NAME` runs one of them. Each removes what it creates. */
const BENCHES: Record<string, () => Promise<Finding[]>> = {
  validate,
  status,
  consent,
  lists,
  stats,
  retention,
  manyRecordsSqlite: () => manyRecords('sqlite'),
  manyRecordsPostgres: () => manyRecords('postgres'),
  scan,
  eventLoop,
  start,
  cluster,
};

// An exit ends the started processes and removes temporary folders.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHES);
const findings: Finding[] = [];
for (const name of names) {
  try {
    const bench = BENCHES[name];
    if (!bench) throw new Error(`there are ${Object.keys(BENCHES).join(', ')}`);
    process.stderr.write(`measuring ${name} ...\n`);
    findings.push(...(await bench()));
  } catch (error) {
    process.stderr.write(`${name} could not be measured: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
if (findings.length > 0) {
  writeResults(findings);
  process.stdout.write(`${toTable(findings)}\n`);
}
