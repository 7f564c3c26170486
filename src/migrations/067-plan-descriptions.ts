import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

const ALL = 'Data subject requests, retention, reporting and advanced integrations.';
const DESCRIPTIONS = { starter: 'Data subject requests.', pro: ALL, agency: ALL };

/** What buyers read of a plan, instead of the names of its features. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema.alterTable('plans').addColumn('description', text).execute();
  for (const [tier, description] of Object.entries(DESCRIPTIONS))
    await sql`update plans set description = ${description}
      where tier = ${tier} and product_id in (select id from products where slug = 'pavis')`.execute(
      db,
    );
}

export const planDescriptions = { up };
