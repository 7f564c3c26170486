import type { Selectable, Updateable } from 'kysely';
import { anyContains, type Db, type Trx } from '../../platform/db/index.ts';
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
  /** The extension that brought it. */
  extension: string | null;
  createdAt: number;
  updatedAt: number;
}

export type ScriptFields = Omit<Script, 'id' | 'extension' | 'createdAt' | 'updatedAt'>;

export interface ScriptFilter {
  category?: string | undefined;
  isActive?: boolean | undefined;
  /** Looked for in handle and label. */
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

const toColumns = (fields: ScriptFields) => ({
  handle: fields.handle,
  label: fields.label,
  category: fields.category,
  script_url: fields.scriptUrl,
  blocking_method: fields.blockingMethod,
  is_active: toFlag(fields.isActive),
});

const toChanges = (fields: Partial<ScriptFields>): Updateable<ScriptTable> => {
  const columns: Updateable<ScriptTable> = {};
  if (fields.handle !== undefined) columns.handle = fields.handle;
  if (fields.label !== undefined) columns.label = fields.label;
  if (fields.category !== undefined) columns.category = fields.category;
  if (fields.scriptUrl !== undefined) columns.script_url = fields.scriptUrl;
  if (fields.blockingMethod !== undefined) columns.blocking_method = fields.blockingMethod;
  if (fields.isActive !== undefined) columns.is_active = toFlag(fields.isActive);
  return columns;
};

/** Scripts whose extension is gone are not there. */
const presentScripts = (db: Db | Trx) => db.selectFrom('scripts').where('is_present', '=', 1);

/** A page of the scripts that fit, newest first, and how many there are. */
export async function listScripts(
  db: Db,
  { category, isActive, search }: ScriptFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ scripts: Script[]; total: number }> {
  let query = presentScripts(db);
  if (category !== undefined) query = query.where('category', '=', category);
  if (isActive !== undefined) query = query.where('is_active', '=', toFlag(isActive));
  if (search) query = query.where(anyContains(db, ['handle', 'label'], search));
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return { scripts: rows.map(toScript), total: Number(total) };
}

/** The active scripts of these categories, in the order in which they were registered. */
export async function listActiveScripts(db: Db, categories: string[]): Promise<Script[]> {
  const rows = await presentScripts(db)
    .selectAll()
    .where('is_active', '=', 1)
    .where('category', 'in', categories)
    .orderBy('id')
    .execute();
  return rows.map(toScript);
}

/** The whole registry, in the order in which scripts were registered. */
export async function listRegistry(db: Db | Trx): Promise<Script[]> {
  const rows = await presentScripts(db).selectAll().orderBy('id').execute();
  return rows.map(toScript);
}

export async function findScript(db: Db | Trx, id: number): Promise<Script | undefined> {
  const row = await presentScripts(db).selectAll().where('id', '=', id).executeTakeFirst();
  return row && toScript(row);
}

/** Whether a script other than this one has the handle. */
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
        // What an extension that is gone has left is there for the taking.
        .doUpdateSet({ ...toColumns(fields), extension: null, is_present: 1, updated_at: now })
        .where('scripts.is_present', '=', 0),
    )
    .returningAll()
    .executeTakeFirst();
  return row && toScript(row);
}

/** Adds or renews the script of an extension; false if the handle is another's. */
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

/** Takes the scripts of every extension away. */
export async function withdrawExtensionScripts(trx: Trx, now: number): Promise<void> {
  await trx
    .updateTable('scripts')
    .set({ is_present: 0, updated_at: now })
    .where('extension', 'is not', null)
    .execute();
}

/** Changes what is given; undefined if there is no such script. The unique index refuses a taken handle. */
export async function updateScript(
  trx: Trx,
  id: number,
  fields: Partial<ScriptFields>,
  now: number,
): Promise<Script | undefined> {
  const row = await trx
    .updateTable('scripts')
    .set({ ...toChanges(fields), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toScript(row);
}

/** Deletes a script and says what it was; undefined if there is none. */
export async function deleteScript(trx: Trx, id: number): Promise<Script | undefined> {
  const row = await trx
    .deleteFrom('scripts')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toScript(row);
}
