import { Button, CopyButton, Group, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';

/** A text to take along: read-only, selected on focus, with a button that copies it. */
export const CopyField = ({
  label,
  description,
  value,
  isPrimary = false,
  children,
}: {
  label: string;
  description?: ReactNode;
  value: string;
  /** Whether copying is what the user is here for. */
  isPrimary?: boolean;
  /** Further buttons. */
  children?: ReactNode;
}) => (
  <Group align="flex-end">
    <Textarea
      autosize
      flex="1 1 16rem"
      label={label}
      description={description}
      readOnly
      value={value}
      classNames={{ input: 'mono' }}
      spellCheck={false}
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
    <Group gap="xs">
      <CopyButton value={value} timeout={4_000}>
        {({ copied, copy }) => (
          <Button
            aria-label={
              copied ? undefined : `Copy ${label.charAt(0).toLowerCase()}${label.slice(1)}`
            }
            onClick={copy}
            variant={isPrimary && !copied ? 'filled' : 'default'}
          >
            <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
          </Button>
        )}
      </CopyButton>
      {children}
    </Group>
  </Group>
);
