import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { findUserId } from '../../identity/users/index.ts';
import { countRows, type Db, type Trx } from '../../platform/db/index.ts';
import { ENTRY_KINDS, recordInLog } from '../consent-log/index.ts';
import type { Asked } from './banner/asked.ts';
import type { ConsentConfig } from './banner/schemas.ts';
import type { SiteSettings } from './schemas.ts';
import type { ConsentConfigTable } from './tables.ts';

export type Section = keyof SiteSettings;

/** The last change of a section. */
export interface SectionChange {
  section: Section;
  /** Epoch milliseconds. */
  at: number;
  /** A login; null if it is unknown or the account was deleted. */
  by: string | null;
}

/** A banner version. */
export interface ConsentVersion {
  version: number;
  hash: string;
  config: ConsentConfig;
  asked: Asked | null;
  /** The oldest version to which consent is valid under this one. */
  askedSince: number;
  /** Whether pictures of the banner are taken. */
  isPictured: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
}

const toVersion = (row: Selectable<ConsentConfigTable>): ConsentVersion => ({
  version: row.version,
  hash: row.hash,
  config: JSON.parse(row.config),
  asked: row.asked === null ? null : JSON.parse(row.asked),
  askedSince: row.asked_since ?? row.version,
  isPictured: row.is_pictured === 1,
  createdAt: row.created_at,
});

/** Banner versions, newest first; none on a new installation. */
export async function listConsentVersions(
  db: Db | Trx,
  limit = Number.MAX_SAFE_INTEGER,
  offset = 0,
): Promise<ConsentVersion[]> {
  const rows = await db
    .selectFrom('consent_configs')
    .selectAll()
    .orderBy('version', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(toVersion);
}

export const countConsentVersions = (db: Db): Promise<number> =>
  countRows(db.selectFrom('consent_configs'));

/**
 * Whether an SQLite database has lost versions after one, because it was restored from a backup: their numbers are given
 * out (see `recordRestore`).
 */
export async function hasLostVersions(trx: Trx, version: number): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_sequence
    where name = 'consent_configs' and seq > ${version}`.execute(trx);
  return rows.length > 0;
}

/** @param version any number; other than safe integers are never found */
export async function findConsentVersion(
  db: Db,
  version: number,
): Promise<ConsentVersion | undefined> {
  const row = await db
    .selectFrom('consent_configs')
    .selectAll()
    .where('version', '=', version)
    .executeTakeFirst();
  return row && toVersion(row);
}

/** The version that was in force at a moment, in epoch milliseconds. */
export async function findConsentVersionAt(
  db: Db,
  at: number,
): Promise<ConsentVersion | undefined> {
  const row = await db
    .selectFrom('consent_configs')
    .selectAll()
    .where('created_at', '<=', at)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toVersion(row);
}

/**
 * Adds a version, also to the consent log; its hash is that of the configuration as it is stored.
 * @param askedSince null if consent to earlier versions is no longer valid
 */
export async function appendConsentVersion(
  trx: Trx,
  { config, asked, askedSince }: { config: ConsentConfig; asked: Asked; askedSince: number | null },
  now: number,
): Promise<void> {
  const text = JSON.stringify(config);
  const hash = createHash('sha256').update(text).digest('hex');
  const { version } = await trx
    .insertInto('consent_configs')
    .values({
      hash,
      config: text,
      asked: JSON.stringify(asked),
      asked_since: askedSince,
      created_at: now,
    })
    .returning('version')
    .executeTakeFirstOrThrow();
  const facts = { version, config_hash: hash };
  await recordInLog(trx, { kind: ENTRY_KINDS.bannerVersion, facts, at: now });
}

/** The sections that were saved. */
export async function readSections(db: Db | Trx): Promise<Partial<SiteSettings>> {
  const rows = await db.selectFrom('settings').selectAll().execute();
  return Object.fromEntries(rows.map(({ section, fields }) => [section, JSON.parse(fields)]));
}

/** @param by the login of the user */
export async function writeSection(
  trx: Trx,
  section: Section,
  fields: object,
  { at, by }: { at: number; by: string },
): Promise<void> {
  const values = {
    fields: JSON.stringify(fields),
    changed_at: at,
    changed_by: findUserId(by),
  };
  await trx
    .insertInto('settings')
    .values({ section, ...values })
    .onConflict((conflict) => conflict.column('section').doUpdateSet(values))
    .execute();
}

/** The last change of each section, newest first. */
export async function listSectionChanges(db: Db | Trx): Promise<SectionChange[]> {
  const rows = await db
    .selectFrom('settings')
    .leftJoin('users', 'users.id', 'settings.changed_by')
    .select(['section', 'changed_at', 'users.login as by'])
    .where('changed_at', 'is not', null)
    .orderBy('changed_at', 'desc')
    .execute();
  return rows.map(({ section, changed_at, by }) => ({
    section: section as Section,
    at: changed_at ?? 0,
    by,
  }));
}
