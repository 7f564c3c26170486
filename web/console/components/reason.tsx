import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';
import { REQUIRED } from './required.ts';
import { useTypedText } from './typed-text.ts';

/**
 * A button with a confirmation dialog that asks for a reason, which the audit log records. It opens again after an error,
 * and with what was typed when the session expired.
 */
export function ConfirmWithReasonButton({
  field,
  title,
  text,
  label,
  isOptional = false,
  confirm,
  maxLength,
  isBusy,
  onConfirm,
  button,
}: {
  /** Unique on the page. */
  field: string;
  title: string;
  text: ReactNode;
  /** The label of the field. */
  label: string;
  isOptional?: boolean;
  confirm: string;
  maxLength: number;
  isBusy: boolean;
  /** @param then to be called after success and after an error */
  onConfirm: (reason: string, then: { onSuccess: () => void; onError: () => void }) => void;
  button: (open: () => void) => ReactNode;
}) {
  const [reason, setReason] = useTypedText(field);
  const [isOpen, { open, close }] = useDisclosure(reason !== '');
  const [error, setError] = useState('');
  const leave = () => {
    setReason('');
    setError('');
    close();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isOptional && !reason.trim()) {
      setError('Enter a reason.');
      return;
    }
    setError('');
    // Closed first, so that the focus returns to the button before the page changes.
    close();
    onConfirm(reason.trim(), { onSuccess: () => setReason(''), onError: open });
  };
  return (
    <>
      {button(open)}
      <Modal opened={isOpen} onClose={leave} title={title} centered>
        <form noValidate onSubmit={submit}>
          <Stack>
            <div className="break">{text}</div>
            <Textarea
              label={isOptional ? `${label} (optional)` : label}
              description="The reason is logged. Do not enter personal data."
              {...(!isOptional && REQUIRED)}
              data-autofocus
              minRows={2}
              maxLength={maxLength}
              error={error}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={leave}>
                Cancel
              </Button>
              <Button type="submit" color="red" loading={isBusy}>
                {confirm}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
