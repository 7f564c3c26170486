import type { Static } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { coerce } from '../../platform/rest/coerce.ts';
import { getScriptUrlProblem } from './rules.ts';
import { BLOCKING_METHODS, ScriptCreation } from './schemas.ts';
import { upsertExtensionScript, withdrawExtensionScripts } from './store.ts';

/** What a script waits for whose extension does not say: what visitors refuse most. */
const CATEGORY = 'marketing';

/**
 * Puts the scripts that extensions have registered beside the others; to be called at start. One
 * whose extension is gone is published no more, but keeps its id: it may come back.
 */
export async function registerExtensionScripts({
  datastore,
  clock,
  extensions,
}: Platform): Promise<void> {
  const scripts = extensions.consentScripts.flatMap(({ extension, item }) => {
    const result = coerce(item.handle, { category: CATEGORY, ...item }, ScriptCreation);
    const problem =
      'error' in result
        ? result.error.message
        : getScriptUrlProblem((result.value as Static<typeof ScriptCreation>).script_url);
    if ('error' in result || problem !== undefined) {
      extensions.report(extension, `a script does not fit: ${problem}`);
      return [];
    }
    const { script_url, blocking_method, ...read } = result.value as Static<typeof ScriptCreation>;
    const fields = {
      ...read,
      scriptUrl: script_url,
      blockingMethod: blocking_method ?? BLOCKING_METHODS[0],
      isActive: true,
    };
    return [{ extension, fields }];
  });
  const taken = await datastore.transaction(async (trx) => {
    const now = clock.now();
    await withdrawExtensionScripts(trx, now);
    const others: typeof scripts = [];
    for (const script of scripts) {
      if (!(await upsertExtensionScript(trx, script.fields, script.extension, now)))
        others.push(script);
    }
    return others;
  });
  for (const { extension, fields } of taken) {
    extensions.report(extension, `there is a script "${fields.handle}" already: that one is kept`);
  }
}
