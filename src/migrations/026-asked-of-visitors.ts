import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

interface Config {
  title: string;
  message: string;
  privacy_url: string;
  categories: { id: string; label: string; description: string; required: boolean }[];
}

/**
 * A version keeps about which vendors and purposes visitors are asked, and since which version choices
 * hold. That was compared each time before, in the first language; choices that held go on to hold.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnsFor(db);
  await db.schema.alterTable('consent_configs').addColumn('asked', text).execute();
  await db.schema.alterTable('consent_configs').addColumn('asked_since', integer).execute();
  const { rows } = await sql<{ version: number; config: string }>`
    select version, config from consent_configs order by version`.execute(db);
  let before: { since: number; asks: string } | undefined;
  for (const { version, config } of rows) {
    const { title, message, privacy_url, categories }: Config = JSON.parse(config);
    const asks = JSON.stringify([
      title,
      message,
      privacy_url,
      categories.map(({ id, label, description, required }) => [id, label, description, required]),
    ]);
    const since = before?.asks === asks ? before.since : version;
    before = { since, asks };
    if (since === version) continue;
    await sql`update consent_configs set asked_since = ${since} where version = ${version}`.execute(
      db,
    );
  }
}

export const askedOfVisitors = { up };
