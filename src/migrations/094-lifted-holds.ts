import { type Kysely, sql } from 'kysely';

/** The texts and authors of lifted legal holds go with the entry of the lifting: those of earlier entries stayed. */
async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update record_holds
    set placed_by = 'anonymised', reason = 'anonymised', lifted_by = 'anonymised', lifted_reason = null
    where lifted_at is not null and not exists (select 1 from retention_changes
      where subject = 'hold' and action = 'lifted' and subject_id = record_holds.id
        and anonymised_at is null)`.execute(db);
}

export const liftedHolds = { up };
