import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../../platform/db/index.ts';
import { type CamelCased, toCamelCase, toSnakeCase } from '../../../platform/key-case.ts';
import type { PackageTable } from '../fulfilment/tables.ts';

/** A package with a file on the disk. */
export type StoredPackage = Pick<
  CamelCased<Selectable<PackageTable>>,
  'sha256' | 'bytes' | 'createdAt'
> & { fileName: string };

/** The package of a case; undefined if there is none or its file was deleted. */
export async function findPackage(
  db: Db | Trx,
  caseId: number,
): Promise<StoredPackage | undefined> {
  const row = await db
    .selectFrom('dsar_packages')
    .select(['file_name', 'sha256', 'bytes', 'created_at'])
    .where('case_id', '=', caseId)
    .where('file_name', 'is not', null)
    .$narrowType<{ file_name: string }>()
    .executeTakeFirst();
  return row && toCamelCase(row);
}

export async function replacePackage(
  trx: Trx,
  { id, closedAt }: { id: number; closedAt: number | null },
  stored: StoredPackage,
): Promise<void> {
  await trx.deleteFrom('dsar_packages').where('case_id', '=', id).execute();
  await trx
    .insertInto('dsar_packages')
    .values({ ...toSnakeCase(stored), case_id: id, case_closed_at: closedAt })
    .execute();
}

/** The age of a package counts from the closing of its case; null while that is open. */
export async function setPackageClosedAt(
  trx: Trx,
  { id, closedAt }: { id: number; closedAt: number | null },
): Promise<void> {
  await trx
    .updateTable('dsar_packages')
    .set({ case_closed_at: closedAt })
    .where('case_id', '=', id)
    .execute();
}

/** The names in this list that belong to packages. */
export async function findUsedFileNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('dsar_packages')
    .select('file_name')
    .where('file_name', 'in', names)
    .execute();
  return new Set(rows.flatMap(({ file_name }) => file_name ?? []));
}

export async function listFileNames(db: Db, email: string): Promise<string[]> {
  const rows = await db
    .selectFrom('dsar_packages')
    .innerJoin('dsar_cases', 'dsar_cases.id', 'dsar_packages.case_id')
    .select('file_name')
    .where('dsar_cases.email', '=', email)
    .execute();
  return rows.flatMap(({ file_name }) => file_name ?? []);
}
