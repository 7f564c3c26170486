import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, getTagged, putTagged, type Tagged } from '../api/client.ts';
import { queryClient, sessionQuery, taggedSettingsQuery } from '../api/queries.ts';
import type { Settings } from '../api/types.ts';
import { ConflictDialog } from './conflict.tsx';
import { type Draft, deleteDraft, readDraft, saveDraft } from './drafts.ts';
import { showFieldErrors, useChange } from './form.tsx';
import { changedFields, merge } from './merge.ts';
import { Restored } from './restored.tsx';
import { useUnsaved } from './unsaved.tsx';

type Section = keyof Settings;
export type FormOf<Fields extends Record<string, unknown>> = ReturnType<typeof useForm<Fields>>;

/** The saved values that a form edits. */
interface Base<Fields> {
  fields: Fields;
  etag: string;
}

/** Another user has changed the same section since it was read. */
class SettingsConflictError<Fields> extends Error {
  readonly base: Base<Fields>;
  readonly fresh: Tagged<Settings>;
  /** A login; null if unknown. */
  readonly by: string | null;
  /** ISO 8601. */
  readonly at: string | undefined;

  constructor(
    base: Base<Fields>,
    fresh: Tagged<Settings>,
    last: { changed_at: string; changed_by: string | null } | undefined,
  ) {
    super('Somebody else has changed these settings.');
    this.base = base;
    this.fresh = fresh;
    this.by = last?.changed_by ?? null;
    this.at = last?.changed_at;
  }
}

interface Options<S extends Section> {
  section: S;
  /** With the entity tag of the read. */
  settings: Tagged<Settings>;
  validate?: NonNullable<Parameters<typeof useForm<Settings[S]>>[0]>['validate'];
  done: string;
  /** The label of a field in the dialog about conflicts. */
  getLabel: (path: readonly string[]) => string;
  onSaved?: () => void;
  onRefused?: (form: FormOf<Settings[S]>, error: unknown) => void;
}

interface SettingsForm<Fields extends Record<string, unknown>> {
  form: FormOf<Fields>;
  isDirty: boolean;
  isSaving: boolean;
  save: (values: Fields) => void;
  /** Restores the saved values. */
  undo: () => void;
  /** A notice about restored input, and the dialog about conflicts. */
  notices: ReactNode;
}

/**
 * A form for one section of the settings. It sends only changed fields, keeps unsaved input across a sign-in, and never
 * overwrites changes that another user has saved in the meantime.
 */
export function useSettingsForm<S extends Section>({
  section,
  settings,
  validate,
  done,
  getLabel,
  onSaved,
  onRefused = showFieldErrors,
}: Options<S>): SettingsForm<Settings[S]> {
  type Fields = Settings[S];
  const login = useQuery(sessionQuery).data?.user.login ?? '';
  const [draft] = useState(() => readDraft<Draft<Fields>>(login, section));
  const [base, setBase] = useState<Base<Fields>>(() =>
    draft
      ? { fields: draft.base, etag: draft.etag }
      : { fields: settings.value[section], etag: settings.etag },
  );
  const [isRestored, setRestored] = useState(draft !== undefined);
  const [conflict, setConflict] = useState<SettingsConflictError<Fields>>();
  const form = useForm<Fields>({
    initialValues: draft?.values ?? base.fields,
    ...(validate && { validate }),
  });
  const { values } = form;
  const isDirty = Object.keys(changedFields(base.fields, values)).length > 0;

  function show({ value, etag }: Tagged<Settings>, shown = value[section]): void {
    setBase({ fields: value[section], etag });
    form.setValues(shown);
  }

  const saving = useChange({
    change: (change: { base: Base<Fields>; values: Fields }) => send(section, change, login),
    stale: [['consent-versions'], ['refused-origins']],
    done,
    onDone(saved, { values: sent }) {
      queryClient.setQueryData(taggedSettingsQuery.queryKey, saved);
      // The user can have typed on since.
      show(saved, merge(sent, form.getValues(), saved.value[section]).merged);
      setRestored(false);
      onSaved?.();
    },
    onFailed(error) {
      if (error instanceof SettingsConflictError) setConflict(error);
      else onRefused(form, error);
    },
  });

  useEffect(() => {
    if (isDirty)
      saveDraft<Draft<Fields>>(login, section, { base: base.fields, etag: base.etag, values });
    else deleteDraft(login, section);
  }, [login, section, base, values, isDirty]);

  // Without unsaved input, the form shows changes of other users as soon as they are loaded.
  useEffect(() => {
    if (isDirty || saving.isPending || settings.etag === base.etag) return;
    setBase({ fields: settings.value[section], etag: settings.etag });
    form.setValues(settings.value[section]);
  }, [settings, section, base, isDirty, saving.isPending, form.setValues]);

  const undo = () => {
    show(queryClient.getQueryData(taggedSettingsQuery.queryKey) ?? settings);
    form.clearErrors();
    setRestored(false);
  };
  useUnsaved({ isDirty: () => isDirty, discard: () => deleteDraft(login, section) });

  return {
    form,
    isDirty,
    isSaving: saving.isPending,
    save: (sound) => saving.mutate({ base, values: sound }),
    undo,
    notices: (
      <>
        {isRestored && isDirty && <Restored onDiscard={undo} />}
        {conflict && (
          <ConflictDialog
            by={conflict.by}
            at={conflict.at}
            base={conflict.base.fields}
            mine={values}
            theirs={conflict.fresh.value[section]}
            getLabel={getLabel}
            onCancel={() => setConflict(undefined)}
            onTheirs={() => {
              show(conflict.fresh);
              setConflict(undefined);
            }}
            onMerged={(merged) => {
              const { value, etag } = conflict.fresh;
              show(conflict.fresh, merged);
              setConflict(undefined);
              saving.mutate({ base: { fields: value[section], etag }, values: merged });
            }}
          />
        )}
      </>
    ),
  };
}

/**
 * Saves the changed fields, merged with other changes.
 * @param login the user, whose own changes in another form of the page need no confirmation
 * @throws SettingsConflictError if another user has changed the section, or if the same field was changed
 */
async function send<S extends Section>(
  section: S,
  { base, values }: { base: Base<Settings[S]>; values: Settings[S] },
  login: string,
): Promise<Tagged<Settings>> {
  const update = { [section]: changedFields(base.fields, values) };
  try {
    return await putTagged<Settings>('/settings', update, base.etag);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
    const fresh = await getTagged<Settings>('/settings');
    // Nobody has changed them, so a proxy has changed the tag and would do so again.
    if (fresh.etag === base.etag) throw error;
    const theirs = fresh.value[section];
    const { merged, differences } = merge(base.fields, values, theirs);
    const changes = (error.data.changes ?? []) as {
      section: string;
      changed_at: string;
      changed_by: string | null;
    }[];
    const last = changes.find((change) => change.section === section);
    const isOwn = last?.changed_by === login && !differences.some(({ isConflict }) => isConflict);
    if (differences.length === 0 || isOwn)
      return send(section, { base: { fields: theirs, etag: fresh.etag }, values: merged }, login);
    throw new SettingsConflictError(base, fresh, last);
  }
}
