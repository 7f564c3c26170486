import { Card, Text, Title } from '@mantine/core';
import type { Vendor } from '../../api/types.ts';
import { DataTable } from '../../components/table.tsx';

const STORAGE = { cookie: 'Cookie', storage: 'Local or session storage' };

/** What the built-in library knows about the cookies of a vendor. */
export function KnownCookies({ vendor }: { vendor: Vendor }) {
  const known = vendor.cookie_details.filter(({ type, lifetime }) => type ?? lifetime);
  if (known.length === 0) return null;
  return (
    <Card component="section">
      <Title order={2}>Usual cookies</Title>
      <Text c="dimmed" mb="sm">
        From the vendor library. The vendor's purpose applies to all of them.
      </Text>
      <DataTable
        label="Usual cookies of this vendor"
        rows={known}
        getKey={({ name, type }) => `${name} ${type}`}
        columns={[
          {
            title: 'Name',
            cell: ({ name }) => <code className="break">{name}</code>,
            sort: ({ name }) => name,
          },
          { title: 'Stored in', cell: ({ type }) => (type ? STORAGE[type] : '–') },
          { title: 'Duration', cell: ({ lifetime }) => lifetime ?? '–' },
        ]}
      />
    </Card>
  );
}
