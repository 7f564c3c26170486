import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

let made = 0;

/**
 * A database of its own, without records.
 * @param isMigrated whether it is a copy of the run's template; default: true
 */
export async function createDatabase(engine: Engine, isMigrated = true): Promise<TestDatabase> {
  const templates = inject('templates');
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'pavis-db-'));
    const file = join(folder, 'pavis.db');
    if (isMigrated) copyFileSync(templates.sqlite, file);
    return {
      url: `sqlite:${file}`,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  const name = `test_${process.pid}_${++made}`;
  const server = new URL(templates.postgres);
  server.pathname = '/postgres';
  const template = isMigrated ? 'pavis_template' : 'template1';
  await run(server.href, `create database ${name} template ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(server.href, `drop database ${name} with (force)`) };
}

/** Runs one statement on a PostgreSQL database. */
export async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
