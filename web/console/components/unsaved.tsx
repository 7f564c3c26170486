import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useSyncExternalStore } from 'react';

/** A form that can have unsaved changes. */
interface Unsaved {
  isDirty: () => boolean;
  /** Deletes stored changes. */
  discard?: () => void;
  /** Stores the changes for the time after the next sign-in. */
  keep?: () => void;
}

const forms = new Set<Unsaved>();
const hasUnsaved = (): boolean => [...forms].some(({ isDirty }) => isDirty());

/** Asks before the user leaves a form with unsaved changes. */
export function useUnsaved(form: Unsaved): void {
  const current = useRef(form);
  current.current = form;
  useEffect(() => {
    const registered: Unsaved = {
      isDirty: () => current.current.isDirty(),
      discard: () => current.current.discard?.(),
      keep: () => current.current.keep?.(),
    };
    forms.add(registered);
    return () => {
      forms.delete(registered);
    };
  }, []);
}

/** Called when the session has expired, which leads away from the page. */
export function keepUnsaved(): void {
  for (const { isDirty, keep } of forms) if (isDirty()) keep?.();
}

/** Resolves the open confirmation dialog, if any. */
let open: ((mayLeave: boolean) => void) | undefined;
const listeners = new Set<() => void>();
const ask = (question: typeof open): void => {
  open = question;
  for (const listener of listeners) listener();
};

/** Asks for confirmation if there are unsaved changes. @returns whether to leave. The changes are discarded then. */
export async function mayLeave(): Promise<boolean> {
  if (!hasUnsaved()) return true;
  // A second attempt to leave replaces the first.
  open?.(false);
  const isLeaving = await new Promise<boolean>((answer) => ask(answer));
  ask(undefined);
  if (isLeaving) for (const { discard } of forms) discard?.();
  return isLeaving;
}

const getView = ({ search }: { search: object }) => 'view' in search && search.view;

/** Asks for confirmation before a link, the browser's buttons or closing the tab discards unsaved changes. */
export function LeaveGuard() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
  useBlocker({
    // Another view of the page has other forms. Filters and languages also change the address, but keep the form.
    shouldBlockFn: async ({ current, next }) =>
      (current.pathname !== next.pathname || getView(current) !== getView(next)) &&
      !(await mayLeave()),
    enableBeforeUnload: hasUnsaved,
  });
  return (
    <Modal
      opened={question !== undefined}
      onClose={() => question?.(false)}
      title="Leave without saving?"
      centered
    >
      <Stack>
        <Text>This page has unsaved changes.</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={() => question?.(false)}>
            Keep editing
          </Button>
          <Button color="red" onClick={() => question?.(true)}>
            Discard changes
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
