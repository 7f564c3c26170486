import { Button, CopyButton, Group, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';

/** A read-only text that is selected on focus, with a copy button. */
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
  /** Whether copying is the main action of the page. */
  isPrimary?: boolean;
  /** Further buttons. */
  children?: ReactNode;
}) => (
  <Group align="flex-end">
    <Textarea
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
