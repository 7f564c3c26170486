import type { Selectable } from 'kysely';
import { anyContains, countRows, type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import type { ScriptTable } from './tables.ts';

/** A script that is blocked until its category is accepted. */
export interface Script {
  id: number;
  handle: string;
  label: string;
  category: string;
  scriptUrl: string;
  blockingMethod: string;
  isActive: boolean;
  /** The extension that registered it, if any. */
  extension: string | null;
  createdAt: number;
  updatedAt: number;
}

export type ScriptFields = Omit<Script, 'id' | 'extension' | 'createdAt' | 'updatedAt'>;
/** Undefined: unchanged. */
export type ScriptChanges = { [K in keyof ScriptFields]?: ScriptFields[K] | undefined };

interface ScriptFilter extends Pick<ScriptChanges, 'category' | 'isActive'> {
  /** Part of the handle or label. */
  search?: string | undefined;
}

const toScript = (row: Selectable<ScriptTable>): Script => ({
  id: row.id,
  handle: row.handle,
  label: row.label,
  category: row.category,
  scriptUrl: row.script_url,
  blockingMethod: row.blocking_method,
  isActive: row.is_active === 1,
  extension: row.extension,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const toFlag = (is: boolean): 0 | 1 => (is ? 1 : 0);

const toColumns = ({ isActive, scriptUrl, blockingMethod, ...fields }: ScriptFields) => ({
  ...fields,
  script_url: scriptUrl,
  blocking_method: blockingMethod,
  is_active: toFlag(isActive),
});

/** Without the scripts of extensions that are not loaded. */
const presentScripts = (db: Db | Trx) => db.selectFrom('scripts').where('is_present', '=', 1);

/** Scripts, newest first, and their total. */
export async function listScripts(
  db: Db,
  { category, isActive, search }: ScriptFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ scripts: Script[]; total: number }> {
  let query = presentScripts(db);
  if (category !== undefined) query = query.where('category', '=', category);
  if (isActive !== undefined) query = query.where('is_active', '=', toFlag(isActive));
  if (search) query = query.where(anyContains(db, ['handle', 'label'], search));
  const total = await countRows(query);
  const rows = await query.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return { scripts: rows.map(toScript), total };
}

/** The active scripts of these categories, oldest first. */
export async function listActiveScripts(db: Db | Trx, categories: string[]): Promise<Script[]> {
  if (categories.length === 0) return [];
  const rows = await presentScripts(db)
    .selectAll()
    .where('is_active', '=', 1)
    .where('category', 'in', categories)
    .orderBy('id')
    .execute();
  return rows.map(toScript);
}

/** All scripts, oldest first. */
export async function listRegistry(db: Db | Trx): Promise<Script[]> {
  const rows = await presentScripts(db).selectAll().orderBy('id').execute();
  return rows.map(toScript);
}

export async function findScript(db: Db | Trx, id: number): Promise<Script | undefined> {
  const row = await presentScripts(db).selectAll().where('id', '=', id).executeTakeFirst();
  return row && toScript(row);
}

/** Like `findScript`. Locks the script until the transaction ends. */
export async function lockScript(trx: Trx, id: number): Promise<Script | undefined> {
  const query = presentScripts(trx).selectAll().where('id', '=', id);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toScript(row);
}

/** Whether another script than `id` has the handle. */
export async function isHandleTaken(db: Db | Trx, handle: string, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('scripts')
    .select('id')
    .where('handle', '=', handle)
    .where('id', '!=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a script; undefined if its handle is taken. */
export async function insertScript(
  trx: Trx,
  fields: ScriptFields,
  now: number,
): Promise<Script | undefined> {
  const row = await trx
    .insertInto('scripts')
    .values({ ...toColumns(fields), created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .column('handle')
        // The handle of an extension that is not loaded is free.
        .doUpdateSet({ ...toColumns(fields), extension: null, is_present: 1, updated_at: now })
        .where('scripts.is_present', '=', 0),
    )
    .returningAll()
    .executeTakeFirst();
  return row && toScript(row);
}

/** Adds or updates the script of an extension; false if the handle belongs to a custom script. */
export async function upsertExtensionScript(
  trx: Trx,
  fields: ScriptFields,
  extension: string,
  now: number,
): Promise<boolean> {
  const columns = { ...toColumns(fields), extension, is_present: 1 as const, updated_at: now };
  const row = await trx
    .insertInto('scripts')
    .values({ ...columns, created_at: now })
    .onConflict((conflict) =>
      conflict.column('handle').doUpdateSet(columns).where('scripts.extension', 'is not', null),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Hides the scripts of all extensions. */
export async function withdrawExtensionScripts(trx: Trx, now: number): Promise<void> {
  await trx
    .updateTable('scripts')
    .set({ is_present: 0, updated_at: now })
    .where('extension', 'is not', null)
    .execute();
}

/**
 * @returns undefined if there is no such script
 * @throws a database error if the handle is taken
 */
export async function updateScript(
  trx: Trx,
  id: number,
  { isActive, scriptUrl, blockingMethod, ...fields }: ScriptChanges,
  now: number,
): Promise<Script | undefined> {
  const row = await trx
    .updateTable('scripts')
    .set({
      ...fields,
      script_url: scriptUrl,
      blocking_method: blockingMethod,
      is_active: isActive === undefined ? undefined : toFlag(isActive),
      updated_at: now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toScript(row);
}

/** @returns the deleted script; undefined if there is none */
export async function deleteScript(trx: Trx, id: number): Promise<Script | undefined> {
  const row = await trx
    .deleteFrom('scripts')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toScript(row);
}
