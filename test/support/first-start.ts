import fs from 'node:fs';
import { enableCompileCache, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import pg from 'pg';

/*
 * A process that does a first start without listening, and prints the steps that change files and databases.
 * With KILL_BEFORE=N it is killed before step N, counted from 0. With COPY_TO=FOLDER it copies the data folder to
 * FOLDER/N before step N if files or commits have changed since the last copy or are about to change. Nothing else
 * runs during a copy, so a copy equals what a kill at that step leaves on SQLite. PROGRAM is the path of the bundled
 * `complete-first-start.ts`.
 */

enableCompileCache();
const killBefore = Number(process.env.KILL_BEFORE ?? Number.POSITIVE_INFINITY);
const steps: string[] = [];

const copyTo = process.env.COPY_TO;
let isCopying = false;

function copyDataFolder(): void {
  const folder = String(process.env.PAVIS_DATA_DIR);
  isCopying = true;
  if (fs.existsSync(folder)) {
    fs.cpSync(folder, join(String(copyTo), String(steps.length)), { recursive: true });
  }
  isCopying = false;
}

function step(kind: string): void {
  if (isCopying) return;
  if (steps.length === killBefore) {
    process.kill(process.pid, 'SIGKILL');
    // Blocks until the signal arrives.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  const isEdge = kind !== 'statement' || (steps.at(-1) ?? 'statement') !== 'statement';
  if (copyTo && isEdge) copyDataFolder();
  steps.push(kind);
}

// biome-ignore lint/suspicious/noExplicitAny: any function of any module
function countCalls(target: any, name: string, kindOf: (first: unknown) => string): void {
  const original = target[name];
  target[name] = function (this: unknown, ...args: unknown[]) {
    step(kindOf(args[0]));
    return original.apply(this, args);
  };
}

for (const name of [
  'mkdirSync',
  'writeFileSync',
  'linkSync',
  'renameSync',
  'rmSync',
  'fsyncSync',
]) {
  countCalls(fs, name, () => 'file');
}
syncBuiltinESMExports();
const kindOfSql = (sql: unknown) => (/^commit$/i.test(String(sql)) ? 'commit' : 'statement');
countCalls(DatabaseSync.prototype, 'exec', kindOfSql);
countCalls(StatementSync.prototype, 'run', kindOfSql);
countCalls(StatementSync.prototype, 'all', kindOfSql);
countCalls(pg.Client.prototype, 'query', (query) =>
  kindOfSql((query as { text?: string } | undefined)?.text ?? query),
);

const { completeFirstStart } = await import(String(process.env.PROGRAM));
await completeFirstStart(process.env);
process.stdout.write(JSON.stringify(steps));
