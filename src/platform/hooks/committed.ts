import { type Announce, type Datastore, OWN_PROCESS } from '../db/index.ts';
import type { DataAction, HookArguments } from './callbacks.ts';
import type { Hooks } from './hooks.ts';

const ACTIONS = `${OWN_PROCESS}actions`;

/**
 * Fires an action in this process once the transaction is committed.
 * @param announce as given to the work of the transaction
 */
export const publishAction = <N extends DataAction>(
  announce: Announce,
  name: N,
  ...args: HookArguments[N]
): void => announce(ACTIONS, JSON.stringify([name, args]));

export function fireCommittedActions(datastore: Datastore, hooks: Hooks): void {
  datastore.onChange(ACTIONS, (announced) => {
    if (announced === undefined) return;
    const [name, args] = JSON.parse(announced) as [DataAction, HookArguments[DataAction]];
    hooks.announce(name, () => args);
  });
}
