import type { Static } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { coerce } from '../../platform/rest/coerce.ts';
import { SCRIPTS_CHANGED } from './banner-scripts.ts';
import { getScriptUrlProblem } from './rules.ts';
import { ScriptCreation, toScriptFields } from './schemas.ts';
import { upsertExtensionScript, withdrawExtensionScripts } from './store.ts';

/** The category of a script whose extension states none: the one that visitors reject most often. */
const CATEGORY = 'marketing';

/**
 * Adds the scripts of extensions to the registry at start. A script whose extension is not loaded is hidden and keeps
 * its id, because the extension can be loaded again.
 */
export async function registerExtensionScripts({
  datastore,
  clock,
  extensions,
}: Platform): Promise<void> {
  const reject = (handle: string, problem: string): [] => {
    extensions.reject('consent_scripts', handle, `a script is invalid: ${problem}`);
    return [];
  };
  const scripts = extensions.consentScripts.flatMap(({ extension, item }) => {
    const result = coerce(item.handle, { category: CATEGORY, ...item }, ScriptCreation);
    if ('error' in result) return reject(item.handle, result.error.message);
    const fields = toScriptFields(result.value as Static<typeof ScriptCreation>);
    const problem = getScriptUrlProblem(fields.scriptUrl);
    if (problem !== undefined) return reject(item.handle, problem);
    return [{ extension, fields: { ...fields, isActive: true } }];
  });
  const taken = await datastore.transaction(async (trx, announce) => {
    const now = clock.now();
    announce(SCRIPTS_CHANGED, 'all');
    await withdrawExtensionScripts(trx, now);
    const others: typeof scripts = [];
    for (const script of scripts) {
      if (!(await upsertExtensionScript(trx, script.fields, script.extension, now)))
        others.push(script);
    }
    return others;
  });
  for (const { handle } of taken.map(({ fields }) => fields)) {
    const problem = `the handle "${handle}" belongs to another script, which is kept`;
    extensions.reject('consent_scripts', handle, problem);
  }
}
