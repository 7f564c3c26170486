import { listAll, write } from '../../api/client.ts';
import type { DecisionAnswer, Script } from '../../api/types.ts';
import { getDecisionIds, isBlockable, sendDecision } from './decisions.ts';
import type { Resource } from './queries.ts';

/** An entry of the script registry that blocking adds or activates. */
export type PlannedScript = DecisionAnswer['scripts'][number];

/**
 * Blocks what is not excluded, then sets the categories that were changed.
 * @param excluded addresses of entries
 * @param categories by address
 */
export async function block(
  scanId: number,
  planned: readonly PlannedScript[],
  resources: readonly Resource[],
  excluded: readonly string[],
  categories: Readonly<Record<string, string>>,
): Promise<DecisionAnswer> {
  const left = planned.filter(({ script_url }) => excluded.includes(script_url));
  const kept = withoutLoadedBy(
    resources.filter(isBlockable),
    left,
    left.length > 0 ? await listAll<Script>('/scripts') : [],
  );
  const answer = await sendDecision({
    scan_id: scanId,
    decision: 'blocked',
    ...(left.length > 0 && { findings: getDecisionIds(kept) }),
  });
  const changed = answer.scripts.filter(
    ({ script_url, category }) => (categories[script_url] ?? category) !== category,
  );
  if (changed.length > 0) {
    const registry = await listAll<Script>('/scripts');
    for (const { handle, script_url } of changed) {
      const id = registry.find((script) => script.handle === handle)?.id;
      if (id !== undefined)
        await write('PUT', `/scripts/${id}`, { category: categories[script_url] });
    }
  }
  return answer;
}

/**
 * Leaves out the resources that some entries would block: by the address of the tag that loads them, which new entries
 * have without its query, or as those of an inactive entry.
 */
function withoutLoadedBy(
  resources: readonly Resource[],
  entries: readonly PlannedScript[],
  registry: readonly Script[],
): Resource[] {
  const inactive = registry
    .filter(({ handle }) => entries.some((entry) => entry.handle === handle))
    .map(({ id }) => id);
  return resources.filter(({ url, initiator, script_id }) => {
    if (script_id !== null) return !inactive.includes(script_id);
    const address = (initiator?.url ?? url).replace(/\?.*/, '');
    return !entries.some(({ script_url }) => script_url === address);
  });
}
