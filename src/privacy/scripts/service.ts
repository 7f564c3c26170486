import { databaseFault, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError, InvalidFieldError, NotFoundError } from '../../platform/errors.ts';
import type { AssertUnchanged } from '../../platform/rest/items.ts';
import { SCRIPTS_CHANGED } from './banner-scripts.ts';
import {
  deleteScript,
  insertScript,
  isHandleTaken,
  lockScript,
  type Script,
  type ScriptChanges,
  type ScriptFields,
  updateScript,
} from './store.ts';

/**
 * Registers a script.
 * @throws InvalidFieldError if the handle is taken
 */
export async function createScript(
  { datastore, clock }: Platform,
  fields: ScriptFields,
): Promise<Script> {
  const script = await datastore.transaction((trx, announce) => {
    announce(SCRIPTS_CHANGED, 'all');
    return insertScript(trx, fields, clock.now());
  });
  if (!script) throw createHandleError(fields.handle);
  return script;
}

/** Registers the scripts whose handle is free, in one transaction. */
export async function addScripts(
  { datastore, clock }: Platform,
  scripts: readonly ScriptFields[],
): Promise<void> {
  await datastore.transaction(async (trx, announce) => {
    for (const script of scripts) await insertScript(trx, script, clock.now());
    announce(SCRIPTS_CHANGED, 'all');
  });
}

/**
 * Updates the given fields.
 * @throws NotFoundError; DomainError `rest_cannot_edit` for a script of an extension; InvalidFieldError if another script
 * has the handle
 */
export async function changeScript(
  { datastore, clock }: Platform,
  id: number,
  fields: ScriptChanges,
  assertUnchanged: AssertUnchanged<Script>,
): Promise<Script> {
  const { handle } = fields;
  try {
    return await datastore.transaction(async (trx, announce) => {
      assertUnchanged(await assertOwn(trx, id, 'rest_cannot_edit'));
      announce(SCRIPTS_CHANGED, 'all');
      return assertFound(await updateScript(trx, id, fields, clock.now()));
    });
  } catch (error) {
    // The unique index decides between simultaneous requests; here its error only gets a message.
    const isRefused = databaseFault(error) === 'fault' && handle !== undefined;
    if (isRefused && (await isHandleTaken(datastore.db, handle, id)))
      throw createHandleError(handle);
    throw error;
  }
}

/**
 * Deletes a script from the registry.
 * @returns the deleted script
 * @throws NotFoundError; DomainError `delete_failed` for a script of an extension
 */
export async function removeScript({ datastore }: Platform, id: number): Promise<Script> {
  return datastore.transaction(async (trx, announce) => {
    await assertOwn(trx, id, 'delete_failed');
    announce(SCRIPTS_CHANGED, 'all');
    return assertFound(await deleteScript(trx, id));
  });
}

/** A script of an extension cannot be changed: the next start would restore it. */
async function assertOwn(
  trx: Trx,
  id: number,
  code: 'rest_cannot_edit' | 'delete_failed',
): Promise<Script> {
  const script = assertFound(await lockScript(trx, id));
  const { label, extension } = script;
  if (extension === null) return script;
  const message = `${label} is registered by the extension ${extension}. Change it there.`;
  throw new DomainError('forbidden', code, message);
}

function assertFound(script: Script | undefined): Script {
  if (!script) throw new NotFoundError('The script');
  return script;
}

const createHandleError = (handle: string): InvalidFieldError =>
  new InvalidFieldError('handle', `The handle ${handle} is already taken. Choose another one.`);
