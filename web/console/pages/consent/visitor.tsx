import { ActionIcon, CopyButton, Group, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Longer IDs are shown with their first and last characters. */
const MAX_LENGTH = 16;
const short = (id: string): string =>
  id.length > MAX_LENGTH ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;

/** A shortened visitor ID with a button that copies it in full. */
export function Visitor({ id }: { id: string }) {
  return (
    <Group component="span" gap={6} wrap="nowrap" my={-4} style={{ whiteSpace: 'nowrap' }}>
      <span className="mono" title={id}>
        <span aria-hidden="true">{short(id)}</span>
        <VisuallyHidden>{id}</VisuallyHidden>
      </span>
      <CopyButton value={id} timeout={4_000}>
        {({ copied, copy }) => (
          <>
            <ActionIcon variant="subtle" color="gray" aria-label={`Copy ${id}`} onClick={copy}>
              {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            </ActionIcon>
            <VisuallyHidden role="status">{copied && 'Copied'}</VisuallyHidden>
          </>
        )}
      </CopyButton>
    </Group>
  );
}
