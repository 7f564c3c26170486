import type { Db, Trx } from '../../../platform/db/index.ts';

/** A package that is on the disk. */
export interface StoredPackage {
  fileName: string;
  sha256: string;
  bytes: number;
  createdAt: number;
}

/** The package of a case; undefined if it has none, or none any more. */
export async function findPackage(
  db: Db | Trx,
  caseId: number,
): Promise<StoredPackage | undefined> {
  const row = await db
    .selectFrom('dsar_packages')
    .selectAll()
    .where('case_id', '=', caseId)
    .executeTakeFirst();
  if (!row || row.file_name === null) return undefined;
  const { file_name: fileName, sha256, bytes, created_at: createdAt } = row;
  return { fileName, sha256, bytes, createdAt };
}

/** Notes a package of a case that is locked, in place of one there may have been. */
export async function replacePackage(
  trx: Trx,
  { id, closedAt }: { id: number; closedAt: number | null },
  { fileName, sha256, bytes, createdAt }: StoredPackage,
): Promise<void> {
  await trx.deleteFrom('dsar_packages').where('case_id', '=', id).execute();
  const facts = { file_name: fileName, sha256, bytes, created_at: createdAt };
  await trx
    .insertInto('dsar_packages')
    .values({ ...facts, case_id: id, case_closed_at: closedAt })
    .execute();
}

/** Notes of the package of a case when the case was closed, from when on its age counts; null: it is open. */
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

/** Which of these are the files of packages. */
export async function findUsedFileNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('dsar_packages')
    .select('file_name')
    .where('file_name', 'in', names)
    .execute();
  return new Set(rows.flatMap(({ file_name }) => file_name ?? []));
}

/** The files of the packages that one address was given. */
export async function listFileNames(db: Db, email: string): Promise<string[]> {
  const rows = await db
    .selectFrom('dsar_packages')
    .innerJoin('dsar_cases', 'dsar_cases.id', 'dsar_packages.case_id')
    .select('file_name')
    .where('dsar_cases.email', '=', email)
    .execute();
  return rows.flatMap(({ file_name }) => file_name ?? []);
}
