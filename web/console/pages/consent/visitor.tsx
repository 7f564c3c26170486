import { ActionIcon, Group, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';

/** Longer IDs are shown with their first and last characters. */
const MAX_LENGTH = 16;
const short = (id: string): string =>
  id.length > MAX_LENGTH ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;

/** The visitor ID that was copied a moment ago, and how to copy one. */
export function useCopiedVisitor() {
  const { copied, copy } = useClipboard({ timeout: 4_000 });
  const [id, setId] = useState<string>();
  return {
    id: copied ? id : undefined,
    copy(next: string) {
      setId(next);
      copy(next);
    },
  };
}
type Copied = ReturnType<typeof useCopiedVisitor>;

/** Announces to screen readers what was copied, once for all rows of a list. */
export function CopiedStatus({ copied: { id } }: { copied: Copied }) {
  return <VisuallyHidden role="status">{id !== undefined && `Copied ${short(id)}`}</VisuallyHidden>;
}

/** A shortened visitor ID with a button that copies it in full. */
export function Visitor({ id, copied }: { id: string; copied: Copied }) {
  const Icon = copied.id === id ? IconCheck : IconCopy;
  return (
    <Group component="span" gap={6} wrap="nowrap" my={-4} style={{ whiteSpace: 'nowrap' }}>
      <span className="mono" title={id}>
        <span aria-hidden="true">{short(id)}</span>
        <VisuallyHidden>{id}</VisuallyHidden>
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Copy ${id}`}
        onClick={() => copied.copy(id)}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
