import { Button, Card, Fieldset, Group, Modal, Stack } from '@mantine/core';
import type { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { type QueryKey, useMutation } from '@tanstack/react-query';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Capability } from '../../../src/identity/users/schemas.ts';
import { ApiError, write } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { Allowed, ReadOnlyNotice, useCan } from './access.tsx';
import { capitalise } from './format.ts';
import { notifyError, notifySuccess } from './notify.ts';
import { useRecordForm } from './record-form.ts';
import { Restored } from './restored.tsx';
import { useUnsaved } from './unsaved.tsx';

/** A mutation with a notification, after which the affected queries are refetched. */
export function useChange<In, Out = unknown>({
  change,
  stale,
  done,
  onDone,
  onFailed = notifyError,
}: {
  change: (input: In) => Promise<Out>;
  /** Keys of the queries to refetch. */
  stale: readonly QueryKey[];
  done?: string;
  onDone?: (result: Out, input: In) => void;
  onFailed?: (error: unknown, input: In) => void;
}) {
  return useMutation({
    mutationFn: change,
    async onSuccess(result, input) {
      if (done) notifySuccess(done);
      onDone?.(result, input);
      await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
    onError: onFailed,
  });
}

type FormOf<Fields extends Record<string, unknown>> = Pick<
  ReturnType<typeof useForm<Fields>>,
  'onSubmit' | 'setErrors' | 'getInputNode' | 'isDirty' | 'resetDirty' | 'getValues' | 'setValues'
>;

const CHANGED_BY_OTHERS =
  'Another user has saved other changes in the meantime. The form now has them beside yours. Where you both changed a field, it has yours. Check it and save again.';

/** The API's name of a value within a parameter, for example `origins[allowed]`: its field has a label. */
const FIELD_PATH = /^\w+(?:\[\w+\])+:? /;

/** Shows the invalid parameters of an error at their fields, or as a notification if no field is on the page. */
export function showFieldErrors<T extends Record<string, unknown>>(
  form: Pick<FormOf<T>, 'setErrors' | 'getInputNode'>,
  error: unknown,
): void {
  const said = error instanceof ApiError ? Object.entries(error.params) : [];
  const params = Object.fromEntries(
    said.map(([name, reason]) => [name, capitalise(reason.replace(FIELD_PATH, ''))]),
  );
  const field = Object.keys(params)
    .map((name) => form.getInputNode(name))
    .find((node) => node);
  if (!field) {
    notifyError(error);
    return;
  }
  form.setErrors(params);
  field.focus();
}

interface Removal {
  /** Names the record in “Delete …?”. */
  name: string;
  onRemove: () => void;
  isBusy: boolean;
}

/** How a record is saved. The default texts are those for an existing record. */
export interface Saving<Fields, Saved> {
  /** The saved values of the record, or those with which a new one begins. */
  initial: Fields;
  /** The entity tag of the saved values, for records that are saved as a whole. */
  etag?: string;
  /**
   * @param pickChanged leaves out the fields of a body that the user has not changed
   * @param etag that of the values which the user has seen, for `If-Match`
   */
  send: (
    fields: Fields,
    pickChanged: <Body extends object>(body: Body) => Partial<Body>,
    etag: string,
  ) => Promise<Saved>;
  /** The label of the button. */
  save?: string;
  done?: string;
  onDone?: (saved: Saved, fields: Fields) => void;
  remove?: Removal | undefined;
}

/** A form in a card, with buttons to save the record and, if allowed, to delete it after a confirmation. */
export function EditForm<Fields extends Record<string, unknown>, Saved>({
  form,
  initial,
  next,
  etag = '',
  stale,
  needs = 'manage_options',
  isReadOnly = false,
  send,
  save = 'Save changes',
  done = 'The changes were saved.',
  onDone,
  remove,
  children,
}: Omit<Saving<Fields, Saved>, 'initial'> & {
  form: FormOf<Fields>;
  initial?: Fields;
  /** What the form has after saving, if it then begins anew. */
  next?: Fields;
  /** Keys of the queries to refetch after saving. */
  stale: readonly QueryKey[];
  /** Without this capability, the form is read-only. */
  needs?: Capability;
  /** Whether no user can change the record. */
  isReadOnly?: boolean;
  children: ReactNode;
}) {
  const isAllowed = useCan(needs);
  const canSave = isAllowed && !isReadOnly;
  const record = useRecordForm(form, initial, etag);
  const saving = useChange({
    change: (fields: Fields) =>
      send(fields, (body) => record.pickChanged(body, fields), record.getTag()),
    stale,
    done,
    onDone(saved: Saved, fields: Fields) {
      if (next) form.setValues(next);
      record.setSaved(next ?? fields);
      onDone?.(saved, fields);
    },
    async onFailed(error) {
      if (!(error instanceof ApiError && error.status === 412)) return showFieldErrors(form, error);
      record.setReported();
      await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      notifyError(new Error(CHANGED_BY_OTHERS));
    },
  });
  useUnsaved({ isDirty: () => form.isDirty(), keep: record.keep });
  return (
    <Card
      component="form"
      maw="44rem"
      noValidate
      onSubmit={form.onSubmit((fields) => saving.mutate(fields))}
    >
      <Stack>
        <ReadOnlyNotice needs={needs} />
        {record.isRestored && <Restored onDiscard={record.undo} />}
        <Fieldset variant="unstyled" disabled={!canSave}>
          <Stack>{children}</Stack>
        </Fieldset>
        {canSave && (
          <Group justify="space-between">
            <Button type="submit" loading={saving.isPending}>
              {save}
            </Button>
            {remove && (
              <ConfirmButton
                title={`Delete ${remove.name}?`}
                text="This cannot be undone."
                confirm="Delete"
                isBusy={remove.isBusy}
                onConfirm={remove.onRemove}
                button={(open) => (
                  <Button variant="subtle" color="red" onClick={open}>
                    Delete
                  </Button>
                )}
              />
            )}
          </Group>
        )}
      </Stack>
    </Card>
  );
}

/** Deletes the record of the page and returns to the list. */
export function useRemoval({
  path,
  noun,
  stale,
  to,
}: {
  path: string;
  noun: string;
  stale: readonly QueryKey[];
  to: NonNullable<LinkProps['to']>;
}): (name: string) => Removal {
  const navigate = useNavigate();
  const removing = useChange({
    change: () => write('DELETE', path),
    stale,
    done: `The ${noun} was deleted.`,
    onDone: () => navigate({ to, ignoreBlocker: true }),
  });
  return (name) => ({
    name,
    onRemove: () => removing.mutate(undefined),
    isBusy: removing.isPending,
  });
}

/** A button with a confirmation dialog, hidden from users without the capability. */
export function ConfirmButton({
  needs = 'manage_options',
  ...asked
}: Asked & { needs?: Capability | undefined }) {
  return (
    <Allowed needs={needs}>
      <Asking {...asked} />
    </Allowed>
  );
}

interface Asked {
  title: string;
  text: ReactNode;
  confirm: string;
  isBusy?: boolean;
  onConfirm: () => void;
  button: (open: () => void) => ReactNode;
}

function Asking({ title, text, confirm, isBusy, onConfirm, button }: Asked) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      {button(open)}
      <Modal opened={isOpen} onClose={close} title={title} centered>
        <Stack>
          <div className="break">{text}</div>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              color="red"
              loading={isBusy ?? false}
              onClick={() => {
                onConfirm();
                close();
              }}
            >
              {confirm}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
