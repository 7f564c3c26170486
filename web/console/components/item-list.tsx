import { Box, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Items below each other, with lines between them. */
export const ItemList = ({ label, children }: { label?: string; children: ReactNode }) => (
  <ul className="plain divided" aria-label={label}>
    {children}
  </ul>
);

/** An item with its actions beside it, or below it where there is no room, and a form below both. */
export const Item = ({
  title,
  text,
  actions,
  children,
}: {
  title: ReactNode;
  text?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) => (
  <Stack component="li" gap="sm">
    <Group justify="space-between" align="flex-start" gap="xs">
      <Box flex="1 1 12rem" miw={0} className="break">
        <Text component="div" fw={600} c="var(--ink)">
          {title}
        </Text>
        {text && (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
      </Box>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
    {children}
  </Stack>
);
