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

/** A migrated, empty database of its own: a copy of the run's template. */
export async function createDatabase(engine: Engine): Promise<TestDatabase> {
  const templates = inject('templates');
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'pavis-db-'));
    const file = join(folder, 'pavis.db');
    copyFileSync(templates.sqlite, file);
    return {
      url: `sqlite:${file}`,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  const name = `test_${process.pid}_${++made}`;
  const server = new URL(templates.postgres);
  server.pathname = '/postgres';
  await run(server.href, `create database ${name} template pavis_template`);
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
