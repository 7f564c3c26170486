import { write } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Finding, Script } from '../../api/types.ts';
import { handleOf } from '../scripts/handle.ts';
import { registryQuery } from '../scripts/queries.ts';
import { addressOf, bringerOf, entryOf, GATES } from './gated.ts';

export type NewScript = Pick<
  Script,
  'handle' | 'label' | 'category' | 'script_url' | 'blocking_method'
>;

/** What nobody knows waits longest. */
const UNKNOWN = 'marketing';

/** What the registry lacks for everything to wait that came before consent, each address once. */
export function lackingIn(registry: readonly Script[], findings: readonly Finding[]): NewScript[] {
  const lacking: NewScript[] = [];
  const isNew = (finding: Finding) =>
    !entryOf(finding, registry) &&
    !lacking.some(({ script_url }) => script_url === addressOf(finding));
  for (const each of findings) {
    const finding = bringerOf(each, findings) ?? each;
    const blocking_method = GATES[finding.resource_type];
    if (!finding.needs_consent || !blocking_method || !isNew(finding)) continue;
    const { vendor, host, category } = finding;
    const script_url = addressOf(finding);
    const taken = [...registry, ...lacking];
    const whose = vendor?.name ?? host;
    const isFirst = !taken.some(({ label }) => label === whose);
    const file = new URL(script_url).pathname.split('/').findLast(Boolean) ?? '/';
    const label = isFirst ? whose : `${whose}: ${file}`;
    const handle = freeHandle(handleOf(label), taken);
    lacking.push({ handle, label, category: category ?? UNKNOWN, script_url, blocking_method });
  }
  return lacking;
}

function freeHandle(wanted: string, taken: readonly { handle: string }[]): string {
  const isFree = (handle: string) => !taken.some((each) => each.handle === handle);
  let handle = wanted;
  for (let next = 2; !isFree(handle); next += 1) handle = `${wanted.slice(0, 60)}-${next}`;
  return handle;
}

export interface Progress {
  planned: number;
  /** What is worked on; nothing once it is over. */
  current?: string;
  added: number;
  failed: (NewScript & { reason: string })[];
}

/**
 * Adds what is still lacking of what was agreed to, one after the other; one that is refused keeps
 * none of the others from waiting.
 */
export async function letWait(
  agreed: readonly NewScript[],
  findings: readonly Finding[],
  tell: (progress: Progress) => void,
): Promise<void> {
  const registry = await queryClient.fetchQuery({ ...registryQuery, staleTime: 0 });
  const todo = lackingIn(registry, findings).filter((each) =>
    agreed.some(({ script_url }) => script_url === each.script_url),
  );
  const progress: Progress = { planned: todo.length, added: 0, failed: [] };
  for (const script of todo) {
    tell({ ...progress, current: script.label });
    try {
      await write('POST', '/scripts', script);
      progress.added += 1;
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      progress.failed = [...progress.failed, { ...script, reason }];
    }
  }
  await queryClient.invalidateQueries({ queryKey: ['scripts'] });
  tell(progress);
}
