import { databaseFault, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { invalidParam, notFound, RestError } from '../../platform/rest/errors.ts';
import {
  deleteScript,
  findScript,
  insertScript,
  isHandleTaken,
  type Script,
  type ScriptFields,
  updateScript,
} from './store.ts';

/**
 * Registers a script.
 * @throws RestError 400 `rest_invalid_param` if the handle is taken
 */
export async function createScript(
  { datastore, clock }: Platform,
  fields: ScriptFields,
): Promise<Script> {
  const script = await datastore.transaction((trx) => insertScript(trx, fields, clock.now()));
  if (!script) throw handleTaken(fields.handle);
  return script;
}

/** Registers those scripts whose handle is free, all or none. */
export async function addScripts(
  { datastore, clock }: Platform,
  scripts: readonly ScriptFields[],
): Promise<void> {
  await datastore.transaction(async (trx) => {
    for (const script of scripts) await insertScript(trx, script, clock.now());
  });
}

/**
 * Changes the fields that are given.
 * @throws RestError 404; 403 `update_failed` for one of an extension; 400 `rest_invalid_param` if
 * another script has the handle
 */
export async function changeScript(
  { datastore, clock }: Platform,
  id: number,
  fields: Partial<ScriptFields>,
): Promise<Script> {
  const { handle } = fields;
  try {
    const script = await datastore.transaction(async (trx) => {
      await assertOwn(trx, id, 'update_failed');
      return updateScript(trx, id, fields, clock.now());
    });
    if (!script) throw notFound('The script');
    return script;
  } catch (error) {
    // The index decides, since two may take one handle in the same moment; here it is only put in words.
    const isRefused = databaseFault(error) === 'fault' && handle !== undefined;
    if (isRefused && (await isHandleTaken(datastore.db, handle, id))) throw handleTaken(handle);
    throw error;
  }
}

/**
 * Deletes a script from the registry.
 * @returns what it was
 * @throws RestError 404; 403 `delete_failed` for one of an extension
 */
export async function removeScript({ datastore }: Platform, id: number): Promise<Script> {
  const script = await datastore.transaction(async (trx) => {
    await assertOwn(trx, id, 'delete_failed');
    return deleteScript(trx, id);
  });
  if (!script) throw notFound('The script');
  return script;
}

/** @throws RestError 404; 403 with this code for what an extension has brought, since it would come back as it was */
async function assertOwn(
  trx: Trx,
  id: number,
  code: 'update_failed' | 'delete_failed',
): Promise<void> {
  const script = await findScript(trx, id);
  if (!script) throw notFound('The script');
  const { label, extension } = script;
  if (extension === null) return;
  throw new RestError(
    403,
    code,
    `${label} comes with the extension ${extension}: change it there.`,
  );
}

const handleTaken = (handle: string): RestError =>
  invalidParam('handle', `There is a script with the handle ${handle} already.`);
