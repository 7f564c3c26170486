import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';

/** A short form that replaces the action buttons. */
export function ActionForm({
  title,
  save,
  isBusy,
  onSubmit,
  onCancel,
  children,
}: {
  title: string;
  save: string;
  isBusy: boolean;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  // The form hides the button that opened it, so it takes the focus.
  useEffect(
    () => form.current?.querySelector<HTMLElement>(':is(input, select):enabled')?.focus(),
    [],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form ref={form} onSubmit={submit}>
      <Stack>
        <strong>{title}</strong>
        {children}
        <Group gap="sm">
          <Button type="submit" loading={isBusy}>
            {save}
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
