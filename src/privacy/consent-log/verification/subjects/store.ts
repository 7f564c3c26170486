import { sql } from 'kysely';
import { type Db, readIntegers } from '../../../../platform/db/index.ts';

const ROWS_AT_ONCE = 1_000;
const PICTURES_AT_ONCE = 20;

export async function listBannerVersions(db: Db): Promise<number[]> {
  const { rows } = await sql<{ version: number }>`
    select version from consent_configs order by version`.execute(db);
  return rows.map(({ version }) => version);
}

export async function findBannerVersion(
  db: Db,
  version: number,
): Promise<{ hash: unknown; config: unknown } | undefined> {
  const { rows } = await sql<{ hash: unknown; config: unknown }>`
    select hash, config from consent_configs where version = ${version}`.execute(db);
  return rows[0];
}

/** The pictures of a banner version. */
export async function listPictures<Picture>(db: Db, version: number): Promise<Picture[]> {
  const { rows } = await sql<Picture>`
    select language, layer, viewport, scheme, build_hash, sha256 from banner_pictures
    where version = ${version}`.execute(db);
  return rows;
}

export async function findPictureFile(db: Db, sha256: string): Promise<Uint8Array | undefined> {
  const { rows } = await sql<{ png: unknown }>`
    select png from banner_picture_files where sha256 = ${sha256}`.execute(db);
  const png = rows[0]?.png;
  return png instanceof Uint8Array ? png : undefined;
}

/** Events of an audit log, in order. */
export async function* listEvents(
  db: Db,
  {
    table,
    columns,
    first_id,
    last_id,
  }: { table: string; columns: readonly string[]; first_id: number; last_id: number },
): AsyncGenerator<Record<string, string | number | null>> {
  const read = [...new Set([...columns, 'id'])];
  const names = sql.join(read.map((name) => sql`${readIntegers(db, name)} as ${sql.ref(name)}`));
  for (let after = first_id - 1; ; ) {
    const { rows } = await sql<Record<string, string | number | null>>`
      select ${names} from ${sql.table(table)} where id > ${after} and id <= ${last_id}
      order by id limit ${ROWS_AT_ONCE}`.execute(db);
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
    after = Number(rows.at(-1)?.id);
  }
}

export async function findScanId(db: Db, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from scans where id = ${id}`.execute(db);
  return rows[0]?.id;
}

/** The pictures of the visits of a scan that were not removed. */
export async function* listScanPictures(
  db: Db,
  scanId: number,
): AsyncGenerator<{ picture: unknown; picture_sha256: unknown }> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; picture: unknown; picture_sha256: unknown }>`
      select id, picture, picture_sha256 from scan_visits
      where scan_id = ${scanId} and id > ${after} and picture is not null
      order by id limit ${PICTURES_AT_ONCE}`.execute(db);
    yield* rows;
    if (rows.length < PICTURES_AT_ONCE) return;
    after = Number(rows.at(-1)?.id);
  }
}
