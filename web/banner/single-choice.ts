import { readChoice } from './choice.ts';
import type { Consent } from './model.ts';
import type { VendorChoice } from './wire.ts';

/**
 * Accepts or rejects single categories. Those on which the visitor has never decided stay undecided: they are in neither
 * list of the record, and off, or on without consent, as before.
 * @param vendors default: those of the last choice
 */
export function changeChoice(
  { state, status, set }: Consent,
  changes: ReadonlyMap<string, boolean>,
  source?: string,
  vendors?: VendorChoice,
): Promise<void> {
  const hasChosen = state.action && state.action !== 'gpc';
  // Where the browser stores no cookies, what the page knows. It does not say what is undecided.
  const known = hasChosen
    ? { categories_accepted: state.accepted, categories_rejected: state.rejected }
    : undefined;
  const { categories_accepted = [], categories_rejected = [] } = readChoice() ?? known ?? {};
  const changed = (isAccepted: boolean) =>
    [...changes.keys()].filter((id) => changes.get(id) === isAccepted);
  const isKept = (id: string) => !changes.has(id);
  const isOptional = (id: string) => status?.categories[id]?.required === false;
  // What was accepted can have expired. An objection does not.
  const accepted = categories_accepted.filter((id) => isKept(id) && state.accepted.includes(id));
  const rejected = [...categories_rejected.filter(isKept), ...changed(false)].filter(isOptional);
  return set([...accepted, ...changed(true)], source, vendors, rejected);
}
