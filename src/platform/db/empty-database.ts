import { sql } from 'kysely';
import { CliError } from '../errors.ts';
import type { Datastore } from './datastore.ts';
import { MIGRATIONS_TABLE } from './migrate.ts';

/** SQL_ASCII stores the bytes that Pavis sends, which are UTF-8. */
const ENCODINGS = ['UTF8', 'SQL_ASCII'];

interface Place {
  name: string;
  user: string;
  encoding: string;
  mayCreate: boolean;
}

/**
 * Whether Pavis can fill an empty PostgreSQL database, before it tries.
 * @throws CliError that says how to create one that it can fill
 */
export async function assertFillable({ db, engine }: Datastore): Promise<void> {
  if (engine !== 'postgres') return;
  // Another user may have created the tables. Without the right to see a schema, there is no current one.
  const { rows } = await sql<Place>`
    select current_database() as name, current_user as user, getdatabaseencoding() as encoding,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate"
    where to_regclass(${MIGRATIONS_TABLE}) is null`.execute(db);
  for (const { name, user, encoding, mayCreate } of rows) {
    if (!ENCODINGS.includes(encoding)) {
      throw new CliError(
        `the database ${name} has the encoding ${encoding}, which cannot hold texts of all languages. Drop it and create it with "createdb --encoding=UTF8 --template=template0 --owner=${user} ${name}"`,
      );
    }
    if (!mayCreate) {
      throw new CliError(
        `the user ${user} may not create tables in the database ${name}. Make it the owner: alter database "${name}" owner to "${user}"`,
      );
    }
  }
}
