import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, write } from '../../api/client.ts';
import { useChange } from '../../components/form.tsx';
import type { Mail } from '../requests/types.ts';

const POLL_MS = 1_000;

/** Sends a test email to the signed-in user, and shows whether it was delivered. */
export function TestMail() {
  const [id, setId] = useState<number>();
  const sending = useChange({
    change: () => write<Mail>('POST', '/mail/test'),
    stale: [],
    onDone: (mail) => setId(mail.id),
  });
  const { data: mail } = useQuery({
    queryKey: ['mail', id],
    queryFn: () => get<Mail>(`/mail/${id}`),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'sent' ? false : POLL_MS),
  });
  return (
    <>
      <Button
        variant="default"
        loading={sending.isPending}
        onClick={() => sending.mutate(undefined)}
      >
        Send a test email
      </Button>
      <span aria-live="polite" className="break">
        {mail && describe(mail)}
      </span>
    </>
  );
}

function describe({ recipient, status, last_error }: Mail): string {
  if (status === 'sent') return last_error ?? `Sent to ${recipient}.`;
  if (last_error) return `Not sent to ${recipient} yet: ${last_error}`;
  return `Sending to ${recipient} …`;
}
