import { Button, Group, Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { showFieldErrors, useChange } from '../../../components/form.tsx';
import { CurrentPassword } from '../current-password.tsx';

/** A button that asks for the current password before it does something. */
export function PasswordDialog<Out>({
  title,
  text,
  confirm,
  send,
  stale,
  done,
  onDone,
  button,
}: {
  title: string;
  text: ReactNode;
  /** On the button of the dialog. */
  confirm: string;
  send: (current_password: string) => Promise<Out>;
  stale: readonly (readonly unknown[])[];
  done?: string;
  onDone?: (result: Out) => void;
  button: (open: () => void) => ReactNode;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const form = useForm({
    // Tells its field from those of the page, which the dialog covers: errors about these are notifications.
    name: 'password-dialog',
    initialValues: { current_password: '' },
    validate: { current_password: (value) => (value ? null : 'Enter your current password.') },
  });
  const leave = () => {
    form.reset();
    close();
  };
  const sending = useChange({
    change: ({ current_password }: typeof form.values) => send(current_password),
    stale,
    ...(done && { done }),
    onDone(result: Out) {
      leave();
      onDone?.(result);
    },
    onFailed: (error) => showFieldErrors(form, error),
  });
  return (
    <>
      {button(open)}
      <Modal opened={isOpen} onClose={leave} title={title} centered>
        <form noValidate onSubmit={form.onSubmit((fields) => sending.mutate(fields))}>
          <Stack>
            <div className="break">{text}</div>
            <CurrentPassword data-autofocus {...form.getInputProps('current_password')} />
            <Group justify="flex-end">
              <Button variant="default" onClick={leave}>
                Cancel
              </Button>
              <Button type="submit" loading={sending.isPending}>
                {confirm}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
