import { Button, Card, CopyButton, Modal, Stack, Text } from '@mantine/core';
import type { Letter } from './types.ts';

/** A text for the requester, to copy if it is not emailed. */
export function Message({
  message: { subject, text },
  isEmailed,
}: {
  message: Letter;
  isEmailed: boolean;
}) {
  return (
    <>
      <Card className="multiline" padding="sm">
        <Text fw={600} mb="sm">
          {subject}
        </Text>
        {text}
      </Card>
      {!isEmailed && (
        <CopyButton value={`${subject}\n\n${text}`} timeout={4_000}>
          {({ copied, copy }) => (
            <Button onClick={copy} variant="default" style={{ alignSelf: 'flex-start' }}>
              <span aria-live="polite">{copied ? 'Copied' : 'Copy response'}</span>
            </Button>
          )}
        </CopyButton>
      )}
    </>
  );
}

export const NOT_EMAILED =
  'No email is sent: the request has no email address. Copy this response and send it another way. It is not stored.';

/** What a change of a request without an email address would have emailed. */
export function Letters({ letters, onClose }: { letters: readonly Letter[]; onClose: () => void }) {
  return (
    <Modal
      opened={letters.length > 0}
      onClose={onClose}
      title="Response to the requester"
      size="lg"
      centered
      closeOnClickOutside={false}
    >
      <Stack>
        <Text>{NOT_EMAILED}</Text>
        {letters.map((letter) => (
          <Message key={letter.subject} message={letter} isEmailed={false} />
        ))}
      </Stack>
    </Modal>
  );
}
