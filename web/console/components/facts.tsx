import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';

export type Fact = readonly [label: string, value: ReactNode];

/** A list of labels and values. Items without a value are left out. */
export const Facts = ({ items }: { items: readonly Fact[] }) => (
  <DataList>
    {items
      .filter(([, value]) => value || value === 0)
      .map(([label, value]) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue>{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
  </DataList>
);
