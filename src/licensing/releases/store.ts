import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { countRows, type Db, lockName, lockRows, type Trx } from '../../platform/db/index.ts';
import { toCamelCase } from '../../platform/key-case.ts';
import type { Channel, Release, SbomFormat } from './rules.ts';
import type { ReleaseKeyTable, ReleaseTable } from './tables.ts';

export type ReleaseKey = ReturnType<typeof toReleaseKey>;

const toReleaseKey = (row: Selectable<ReleaseKeyTable>) => toCamelCase(row);

function toRelease(row: Selectable<ReleaseTable>): Release {
  const { security, channel, sbomFormat, ...rest } = toCamelCase(row);
  return {
    ...rest,
    channel: channel as Channel,
    sbomFormat: sbomFormat as SbomFormat | null,
    isSecurity: security === 1,
  };
}

/** Serialises changes of releases and release keys. */
export const lockReleases = (trx: Trx): Promise<void> => lockName(trx, 'releases');

/** The releases of a product, oldest first. */
export async function listReleases(db: Db | Trx, productId: number): Promise<Release[]> {
  const rows = await db
    .selectFrom('releases')
    .selectAll()
    .where('product_id', '=', productId)
    .orderBy('id')
    .execute();
  return rows.map(toRelease);
}

export async function findRelease(db: Db | Trx, id: number): Promise<Release | undefined> {
  const row = await db.selectFrom('releases').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toRelease(row);
}

export async function insertRelease(trx: Trx, values: Insertable<ReleaseTable>): Promise<Release> {
  const row = await trx
    .insertInto('releases')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRelease(row);
}

export async function updateReleaseRow(
  trx: Trx,
  id: number,
  values: Updateable<ReleaseTable>,
): Promise<void> {
  await trx.updateTable('releases').set(values).where('id', '=', id).execute();
}

export async function countDownload(db: Db, id: number): Promise<void> {
  await db
    .updateTable('releases')
    .set({ downloads: sql<number>`downloads + 1` })
    .where('id', '=', id)
    .execute();
}

/** The release keys of a product, oldest first. */
export async function listReleaseKeys(db: Db | Trx, productId: number): Promise<ReleaseKey[]> {
  const rows = await db
    .selectFrom('release_keys')
    .selectAll()
    .where('product_id', '=', productId)
    .orderBy('id')
    .execute();
  return rows.map(toReleaseKey);
}

export async function findReleaseKey(trx: Trx, id: number): Promise<ReleaseKey | undefined> {
  const row = await trx
    .selectFrom('release_keys')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toReleaseKey(row);
}

export async function insertReleaseKey(
  trx: Trx,
  values: Insertable<ReleaseKeyTable>,
): Promise<void> {
  await trx.insertInto('release_keys').values(values).execute();
}

export async function updateReleaseKey(
  trx: Trx,
  id: number,
  values: Updateable<ReleaseKeyTable>,
): Promise<void> {
  await trx.updateTable('release_keys').set(values).where('id', '=', id).execute();
}

export async function insertFile(
  db: Db,
  values: { product_id: number; name: string; created_at: number },
): Promise<number> {
  const { id } = await db
    .insertInto('release_files')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export interface ReleaseFile {
  id: number;
  productId: number;
  name: string;
  sealedAt: number | null;
}

/** Locks the file for this transaction. */
export async function lockFile(trx: Trx, id: number): Promise<ReleaseFile | undefined> {
  const query = trx
    .selectFrom('release_files')
    .select(['id', 'product_id', 'name', 'sealed_at'])
    .where('id', '=', id);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toCamelCase(row);
}

export async function sealFile(trx: Trx, id: number, at: number): Promise<void> {
  await trx.updateTable('release_files').set({ sealed_at: at }).where('id', '=', id).execute();
}

/** Opens a file again, unless a release has it: a commit whose answer is lost may have succeeded. */
export async function unsealUnusedFile(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('release_files')
    .set({ sealed_at: null })
    .where('id', '=', id)
    .where(({ not, exists }) => not(exists(selectUses(trx))))
    .execute();
}

/** The releases of the file of the outer query. */
const selectUses = (trx: Trx) =>
  trx
    .selectFrom('releases')
    .select('releases.id')
    .where(({ or, eb }) =>
      or([
        eb('releases.file_id', '=', sql.ref<number>('release_files.id')),
        eb('releases.sbom_file_id', '=', sql.ref<number>('release_files.id')),
      ]),
    );

/** Writes a part, also again. */
export async function writePart(
  trx: Trx,
  part: { file_id: number; position: number; content: Uint8Array },
): Promise<void> {
  await trx
    .insertInto('release_file_parts')
    .values(part)
    .onConflict((conflict) =>
      conflict.columns(['file_id', 'position']).doUpdateSet({ content: part.content }),
    )
    .execute();
}

/** The content of a file, one part in memory at a time. It ends at the first part that is missing. */
export async function* readParts(db: Db, fileId: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position++) {
    const part = await db
      .selectFrom('release_file_parts')
      .select('content')
      .where('file_id', '=', fileId)
      .where('position', '=', position)
      .executeTakeFirst();
    if (!part) return;
    yield part.content;
  }
}

/** How many parts a file has. */
export const countParts = (db: Db | Trx, fileId: number): Promise<number> =>
  countRows(db.selectFrom('release_file_parts').where('file_id', '=', fileId));

/** Deletes files that no release has, and that are not being published. @param before epoch milliseconds */
export async function deleteUnusedFiles(trx: Trx, before: number): Promise<void> {
  const unused = await trx
    .selectFrom('release_files')
    .select('id')
    .where('created_at', '<', before)
    .where(({ or, eb }) => or([eb('sealed_at', 'is', null), eb('sealed_at', '<', before)]))
    .where(({ not, exists }) => not(exists(selectUses(trx))))
    .execute();
  if (unused.length === 0) return;
  const ids = unused.map(({ id }) => id);
  await trx.deleteFrom('release_file_parts').where('file_id', 'in', ids).execute();
  await trx.deleteFrom('release_files').where('id', 'in', ids).execute();
}
