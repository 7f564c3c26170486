import { databaseFault } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { invalidParam, notFound, type RestError } from '../../platform/rest/errors.ts';
import {
  deleteScript,
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
 * @throws RestError 404; 400 `rest_invalid_param` if another script has the handle
 */
export async function changeScript(
  { datastore, clock }: Platform,
  id: number,
  fields: Partial<ScriptFields>,
): Promise<Script> {
  const { handle } = fields;
  try {
    const script = await datastore.transaction((trx) => updateScript(trx, id, fields, clock.now()));
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
 * @throws RestError 404
 */
export async function removeScript({ datastore }: Platform, id: number): Promise<Script> {
  const script = await datastore.transaction((trx) => deleteScript(trx, id));
  if (!script) throw notFound('The script');
  return script;
}

const handleTaken = (handle: string): RestError =>
  invalidParam('handle', `There is a script with the handle ${handle} already.`);
