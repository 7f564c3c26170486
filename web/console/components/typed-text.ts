import { useEffect, useState } from 'react';
import { deleteDraft, readDraft, saveDraft, useDraftKey } from './drafts.ts';
import { useUnsaved } from './unsaved.tsx';

/**
 * A long text outside of a form of a record, for example a reason. Users are asked before they leave it, and it is
 * restored after the session has expired.
 * @param field unique on the page
 */
export function useTypedText(field: string): [text: string, setText: (text: string) => void] {
  const [login, name] = useDraftKey(`text:${field}`);
  const [text, setText] = useState(() => readDraft<string>(login, name) ?? '');
  useEffect(() => deleteDraft(login, name), [login, name]);
  useUnsaved({ isDirty: () => text !== '', keep: () => saveDraft(login, name, text) });
  return [text, setText];
}
