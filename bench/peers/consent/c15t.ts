import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { launch, type Running } from '../../server.ts';

const SERVER = 'c15t-server.ts';

/** Installed for a measurement, never a dependency. */
const PACKAGES = {
  '@c15t/backend': '2.2.1',
  '@hono/node-server': '2.1.9',
  hono: '4.13.19',
  kysely: '0.28.19',
};

export const C15T = `@c15t/backend ${PACKAGES['@c15t/backend']}`;

/** Installs c15t in a folder. Takes a few seconds if it is there already. */
export async function installC15t(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, type: 'module', dependencies: PACKAGES };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  // It comes with other database drivers, which would be compiled.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...options], { cwd: folder });
  // Here, so that Node resolves what it imports from the folder.
  copyFileSync(join(import.meta.dirname, SERVER), join(folder, SERVER));
}

/** Starts c15t in production on a free port, with the given SQLite file. */
export const startC15t = (folder: string, file: string): Promise<Running> =>
  launch([join(folder, SERVER), file], { NODE_ENV: 'production' });

/** Rows of a table of a SQLite file whose server has ended. */
export function countRows(file: string, table: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare(`select count(*) as rows from ${table}`).get()?.rows);
  } finally {
    database.close();
  }
}
