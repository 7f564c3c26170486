import type { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { deleteDraft, readDraft, saveDraft, useDraftKey } from './drafts.ts';
import { changedFields, merge } from './merge.ts';

type FormOf<Fields extends Record<string, unknown>> = Pick<
  ReturnType<typeof useForm<Fields>>,
  'getValues' | 'setValues' | 'isDirty' | 'resetDirty'
>;

interface Draft<Fields> {
  /** The saved values that the user edited. */
  base: Fields;
  values: Fields;
}

/** Leaves out what must not be stored, or cannot be. */
const toStored = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !name.includes('password') && !(value instanceof File),
    ),
  ) as Fields;

/**
 * Follows the saved values of a record in a form: changes of other users appear in the fields that the user has not
 * changed, and unsaved input is restored after the session has expired.
 * @param initial the saved values; undefined for a form that edits no record
 */
export function useRecordForm<Fields extends Record<string, unknown>>(
  form: FormOf<Fields>,
  initial: Fields | undefined,
) {
  const [login, name] = useDraftKey('form');
  const [draft] = useState(() => readDraft<Draft<Fields>>(login, name));
  const [isRestored, setRestored] = useState(draft !== undefined);
  const base = useRef(initial ?? form.getValues());
  const text = JSON.stringify(initial);
  const known = useRef(text);

  /** Shows saved values with what the user has changed. */
  function show(saved: Fields, mine: Fields, before: Fields): void {
    form.setValues(merge(before, mine, saved).merged);
    form.resetDirty(saved);
    base.current = saved;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (!draft) return;
    deleteDraft(login, name);
    show(base.current, draft.values, draft.base);
  }, []);
  useEffect(() => {
    if (!initial || text === known.current) return;
    known.current = text;
    show(initial, form.getValues(), base.current);
  });

  return {
    isRestored: isRestored && form.isDirty(),
    /** Marks the values as saved. What the user has typed since they were sent stays unsaved. */
    setSaved(sent: Fields): void {
      base.current = sent;
      form.resetDirty(sent);
      setRestored(false);
    },
    undo(): void {
      form.setValues(base.current);
      setRestored(false);
    },
    keep: () =>
      saveDraft<Draft<Fields>>(login, name, {
        base: toStored(base.current),
        values: toStored(form.getValues()),
      }),
    /** The fields of a body that the user has changed: changes of other users to its other fields stay. */
    pickChanged<Body extends object>(body: Body, fields: Fields): Partial<Body> {
      const changed = changedFields(base.current, fields);
      return Object.fromEntries(
        Object.entries(body).filter(([field]) => field in changed),
      ) as Partial<Body>;
    },
  };
}
