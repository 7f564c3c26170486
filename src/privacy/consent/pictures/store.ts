import type { Insertable, Selectable } from 'kysely';
import type { Db, Trx } from '../../../platform/db/index.ts';
import { ENTRY_KINDS, recordInLog } from '../../consent-log/index.ts';
import type { BannerPictureTable } from './tables.ts';

export type BannerPicture = Selectable<BannerPictureTable>;
export type NewBannerPicture = Omit<Insertable<BannerPictureTable>, 'id' | 'version'>;
/** PNG files by their SHA-256. */
export type PictureFiles = ReadonlyMap<string, Uint8Array>;

/** Versions that are to have pictures and have none, newest first. A version has all its pictures or none. */
export async function listVersionsWithoutPictures(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('consent_configs')
    .select('version')
    .where('is_pictured', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('banner_pictures')
            .select('banner_pictures.id')
            .whereRef('banner_pictures.version', '=', 'consent_configs.version'),
        ),
      ),
    )
    .orderBy('version', 'desc')
    .execute();
  return rows.map(({ version }) => version);
}

/** For a version in which the banner is turned off. */
export async function excludeFromPictures(db: Db, version: number): Promise<void> {
  await db
    .updateTable('consent_configs')
    .set({ is_pictured: 0 })
    .where('version', '=', version)
    .execute();
}

/** The pictures of a version, in the order in which they were taken. */
export const listPictures = (db: Db, version: number): Promise<BannerPicture[]> =>
  db
    .selectFrom('banner_pictures')
    .selectAll()
    .where('version', '=', version)
    .orderBy('id')
    .execute();

/** The pictures of the last version that showed the same with the same build. */
export async function listSamePictures(
  db: Db,
  same: Pick<BannerPicture, 'language' | 'shown_hash' | 'build_hash'>,
): Promise<NewBannerPicture[]> {
  const rows = await db
    .selectFrom('banner_pictures')
    .selectAll()
    .where('shown_hash', '=', same.shown_hash)
    .where('build_hash', '=', same.build_hash)
    .where('language', '=', same.language)
    .orderBy('version', 'desc')
    .orderBy('id')
    .execute();
  return rows
    .filter(({ version }) => version === rows[0]?.version)
    .map(({ id, version, ...picture }) => picture);
}

/**
 * Adds the pictures of a version, also to the consent log, unless another node has.
 * @param at epoch milliseconds
 */
export async function insertPictures(
  trx: Trx,
  version: number,
  pictures: readonly NewBannerPicture[],
  { files, at }: { files: PictureFiles; at: number },
): Promise<void> {
  for (const [sha256, png] of files) {
    await trx
      .insertInto('banner_picture_files')
      .values({ sha256, png })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const added = await trx
    .insertInto('banner_pictures')
    .values(pictures.map((picture) => ({ ...picture, version })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  if (added.length === 0) return;
  const facts = { version, pictures: pictures.map(toFacts) };
  await recordInLog(trx, { kind: ENTRY_KINDS.bannerPictures, facts, at });
}

const toFacts = ({ language, layer, viewport, scheme, build_hash, sha256 }: NewBannerPicture) => ({
  language,
  layer,
  viewport,
  scheme,
  build_hash,
  sha256,
});

export async function findPicture(
  db: Db,
  id: number,
): Promise<(BannerPicture & { png: Uint8Array }) | undefined> {
  return db
    .selectFrom('banner_pictures')
    .innerJoin('banner_picture_files', 'banner_picture_files.sha256', 'banner_pictures.sha256')
    .selectAll('banner_pictures')
    .select('png')
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The languages of which there are pictures, by version. */
export async function listPicturedLanguages(
  db: Db,
  versions: readonly number[],
): Promise<Map<number, string[]>> {
  const rows =
    versions.length === 0
      ? []
      : await db
          .selectFrom('banner_pictures')
          .select(['version', 'language'])
          .distinct()
          .where('version', 'in', versions)
          .execute();
  const languages = Map.groupBy(rows, ({ version }) => version);
  return new Map(
    [...languages].map(([version, pictured]) => [
      version,
      pictured.map(({ language }) => language),
    ]),
  );
}
