import { domainToASCII } from 'node:url';
import { type Kysely, sql } from 'kysely';

const COLUMNS = [
  ['customers', 'email'],
  ['users', 'email'],
  ['dsar_cases', 'email'],
  ['checkout_orders', 'email'],
  ['outbox_mails', 'recipient'],
] as const;

/**
 * Addresses get the one spelling by which they are looked up: composed characters, the host in ASCII. Where two
 * customers or users have spellings of one address, the second keeps its own.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of COLUMNS) {
    const { rows } = await sql<{ address: string }>`
      select distinct ${sql.ref(column)} as address from ${sql.table(table)}
      where ${sql.ref(column)} is not null`.execute(db);
    const taken = new Set(rows.map(({ address }) => address));
    const isUnique = table === 'customers' || table === 'users';
    for (const { address } of rows) {
      const normal = normalForm(address);
      if (normal === address || (isUnique && taken.has(normal))) continue;
      taken.add(normal);
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${normal}
        where ${sql.ref(column)} = ${address}`.execute(db);
    }
  }
}

function normalForm(address: string): string {
  const composed = address.normalize('NFC');
  const at = composed.lastIndexOf('@');
  const host = domainToASCII(composed.slice(at + 1));
  return host ? `${composed.slice(0, at)}@${host}` : address;
}

export const addressSpellings = { up };
