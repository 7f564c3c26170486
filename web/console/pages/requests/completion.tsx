import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { formatCount } from '../../components/format.ts';
import { useMissing } from '../../components/required.ts';
import { QueryResult } from '../../components/states.tsx';
import { useTypedText } from '../../components/typed-text.ts';
import { Message, NOT_EMAILED } from './letters.tsx';
import { useCaseChange } from './mutations.ts';
import { completionQuery } from './queries.ts';
import type { Case, CompletionPreview, UpdatedCase } from './types.ts';

const TYPING_MS = 400;

/** Shows the email that completing a request sends, or the response to send without one, and asks for confirmation. */
export function Completion({
  request,
  isOpen,
  ...callbacks
}: {
  request: Case;
  isOpen: boolean;
  onClose: () => void;
  onDone: (updated?: UpdatedCase) => void;
}) {
  return (
    <Modal
      opened={isOpen}
      onClose={callbacks.onClose}
      title={`Complete ${request.reference}?`}
      size="lg"
      centered
    >
      <CompletionForm request={request} {...callbacks} />
    </Modal>
  );
}

function CompletionForm({
  request,
  onClose,
  onDone,
}: {
  request: Case;
  onClose: () => void;
  onDone: (updated?: UpdatedCase) => void;
}) {
  const [reason, setReason] = useTypedText('completed');
  const [sentReason] = useDebouncedValue(reason.trim(), TYPING_MS);
  const completing = useCaseChange(request, onDone);
  // While the dialog closes, the completed request has no email to preview.
  const preview = useQuery({
    ...completionQuery(String(request.id), sentReason),
    enabled: completing.isIdle || completing.isError,
  });
  const open = preview.data?.open ?? [];
  const missing = useMissing();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (open.length > 0 && missing.isMissing(reason)) return;
    completing.mutate({ status: 'completed', ...(open.length > 0 && { reason }) });
  };
  return (
    <Stack component="form" onSubmit={submit}>
      {open.length > 0 && (
        <Textarea
          label={`Reason for leaving out ${formatCount(open.length, 'task')}`}
          description={`Sent to the requester. Not done yet: ${open.map(({ label }) => label).join(', ')}`}
          aria-required
          minRows={2}
          data-autofocus
          error={missing.getError(reason, 'Enter a reason.')}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      )}
      <QueryResult query={preview} lines={8}>
        {(data) => <Preview preview={data} isErasure={request.request_type === 'deletion'} />}
      </QueryResult>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={completing.isPending} disabled={!preview.data}>
          {request.email === null ? 'Complete' : 'Complete and send'}
        </Button>
      </Group>
    </Stack>
  );
}

function Preview({ preview, isErasure }: { preview: CompletionPreview; isErasure: boolean }) {
  const { recipient, package: file } = preview;
  const isEmailed = recipient !== null;
  return (
    <>
      <Stack
        component="section"
        aria-label={`${isEmailed ? 'Email' : 'Response'} to the requester`}
      >
        {isEmailed ? (
          <Text className="break">
            This email goes to <strong>{recipient}</strong>:
          </Text>
        ) : (
          <Text>
            {NOT_EMAILED}
            {isErasure &&
              ' Send it within 30 days: then the name and contact details are removed from the request, unless it is on legal hold.'}
          </Text>
        )}
        <Message message={preview} isEmailed={isEmailed} />
      </Stack>
      {file && (
        <Text size="sm" c="dimmed">
          The package is {Math.ceil(file.bytes / 1024)} KB.{' '}
          {isEmailed
            ? 'To check it first, download it with the Package button.'
            : 'It is not in the response: download it with the Package button and send it as well.'}
        </Text>
      )}
    </>
  );
}
