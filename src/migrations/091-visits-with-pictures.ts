import { type Kysely, sql } from 'kysely';

/** To find the visits that have a picture: without it, all visits of old scans were read for each completed scan. */
async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index scan_visits_with_picture on scan_visits (scan_id) where picture is not null`.execute(
    db,
  );
}

export const visitsWithPictures = { up };
