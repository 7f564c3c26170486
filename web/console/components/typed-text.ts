import { useEffect, useState } from 'react';
import { deleteDraft, readDraft, saveDraft, useDraftKey } from './drafts.ts';
import { useUnsaved } from './unsaved.tsx';

/**
 * Input outside of a form of a record. Users are asked before they leave it, and it is restored after the session has
 * expired.
 * @param field unique on the page
 */
export function useKeptInput<T>(field: string, initial: T, isDirty: (input: T) => boolean) {
  const [login, name] = useDraftKey(`text:${field}`);
  const state = useState(() => readDraft<T>(login, name) ?? initial);
  const [input] = state;
  useEffect(() => deleteDraft(login, name), [login, name]);
  useUnsaved({ isDirty: () => isDirty(input), keep: () => saveDraft(login, name, input) });
  return state;
}

/**
 * A long text, for example a reason.
 * @param field unique on the page
 */
export const useTypedText = (field: string) => useKeptInput(field, '', (text) => text !== '');
