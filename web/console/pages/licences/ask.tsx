import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';

/** A question in the place of the actions. */
export function Ask({
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
  // The button that was pressed is gone: whoever goes by keyboard goes on in the form.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form ref={form} className="stack" onSubmit={submit}>
      <strong>{title}</strong>
      {children}
      <div className="row">
        <Button type="submit" loading={isBusy}>
          {save}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
