import { Card, SimpleGrid, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface KeyFigure {
  label: string;
  value: ReactNode;
  /** For example a comparison with the previous period. */
  note?: ReactNode;
  /** The page with details. */
  link?: Pick<LinkProps, 'to' | 'search' | 'params'>;
}

/** Key figures side by side. */
export function KeyFigures({ items }: { items: readonly KeyFigure[] }) {
  return (
    <SimpleGrid
      component="dl"
      m={0}
      type="container"
      cols={{ base: 1, '20rem': 2, '44rem': Math.min(items.length, 4) }}
      spacing="md"
    >
      {items.map(({ label, value, note, link }) => (
        <Card key={label} padding="md" className="key-figure">
          <Text component="dt" size="sm" c="dimmed">
            {link ? <Link {...(link as LinkProps)}>{label}</Link> : label}
          </Text>
          <Text
            component="dd"
            m={0}
            fz={{ base: '1.5rem', sm: '1.85rem' }}
            lh={1.25}
            ff="var(--serif)"
            c="var(--ink)"
            style={{ fontVariantNumeric: 'lining-nums tabular-nums' }}
          >
            {typeof value === 'string' ? value.replaceAll('\u00a0', ' ') : value}
          </Text>
          {note && (
            <Text component="dd" size="sm" c="dimmed" m={0}>
              {note}
            </Text>
          )}
        </Card>
      ))}
    </SimpleGrid>
  );
}
