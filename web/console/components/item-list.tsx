import { Box, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list with dividers. */
export const ItemList = ({ label, children }: { label?: string; children: ReactNode }) => (
  <Stack component="ul" role="list" className="plain divided" gap="sm" aria-label={label}>
    {children}
  </Stack>
);

/** An item of a list with its actions beside it, or below it on narrow screens, and content below both. */
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
