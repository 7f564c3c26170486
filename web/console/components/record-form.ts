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
  /** The entity tag of the base, if the record has one. */
  etag: string;
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
 * @param etag their entity tag; empty if the record has none
 */
export function useRecordForm<Fields extends Record<string, unknown>>(
  form: FormOf<Fields>,
  initial: Fields | undefined,
  etag: string,
) {
  const [login, name] = useDraftKey('form');
  const [draft] = useState(() => readDraft<Draft<Fields>>(login, name));
  const [isRestored, setRestored] = useState(draft !== undefined);
  const base = useRef(initial ?? form.getValues());
  const text = JSON.stringify(initial);
  const known = useRef(text);
  const latest = useRef(etag);
  // Older than the latest one if another user has changed the same field and this user does not know it yet.
  const sent = useRef(etag);
  const isReported = useRef(false);

  /** Shows saved values with what the user has changed. @returns whether another user has changed the same field */
  function show(saved: Fields, mine: Fields, before: Fields): boolean {
    const { merged, differences } = merge(before, mine, saved);
    form.setValues(merged);
    form.resetDirty(saved);
    base.current = saved;
    return differences.some(({ isConflict }) => isConflict);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (!draft) return;
    deleteDraft(login, name);
    if (show(base.current, draft.values, draft.base)) sent.current = draft.etag;
  }, []);
  useEffect(() => {
    if (!initial || (text === known.current && etag === latest.current)) return;
    const isConflict = text !== known.current && show(initial, form.getValues(), base.current);
    const isBehind = sent.current !== latest.current;
    known.current = text;
    latest.current = etag;
    if (isReported.current || !(isConflict || isBehind)) sent.current = etag;
    isReported.current = false;
  });

  return {
    isRestored: isRestored && form.isDirty(),
    /** Marks the values as saved. What the user has typed since they were sent stays unsaved. */
    setSaved(fields: Fields): void {
      base.current = fields;
      form.resetDirty(fields);
      sent.current = latest.current;
      setRestored(false);
    },
    undo(): void {
      form.setValues(base.current);
      sent.current = latest.current;
      setRestored(false);
    },
    /** The entity tag for `If-Match`: that of the values which the user has seen. */
    getTag: (): string => sent.current,
    /** The change of another user was reported to this user, so the next change can overwrite it. */
    setReported(): void {
      isReported.current = sent.current === latest.current;
      sent.current = latest.current;
    },
    keep: () =>
      saveDraft<Draft<Fields>>(login, name, {
        base: toStored(base.current),
        values: toStored(form.getValues()),
        etag: sent.current,
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
