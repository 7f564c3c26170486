import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** What is longer than this is told apart by both its ends. */
const WHOLE = 16;
const short = (id: string): string =>
  id.length > WHOLE ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;

/** Who decided, in few letters, and the whole id to take along: as search it finds all that they decided. */
export function Visitor({ id }: { id: string }) {
  return (
    <span className="visitor">
      <span className="mono" title={id}>
        <span aria-hidden="true">{short(id)}</span>
        <span className="unseen">{id}</span>
      </span>
      <CopyButton value={id} timeout={4_000}>
        {({ copied, copy }) => (
          <>
            <ActionIcon variant="subtle" color="gray" aria-label={`Copy ${id}`} onClick={copy}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
            <span className="unseen" role="status">
              {copied && 'Copied'}
            </span>
          </>
        )}
      </CopyButton>
    </span>
  );
}
