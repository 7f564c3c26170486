import { Group, Pagination, Text } from '@mantine/core';
import { useEffect } from 'react';
import { formatCount, formatNumber } from './format.ts';
import { useUrlState } from './url-state.ts';

/** The range of rows that is shown, and links to the other pages of the list. */
export function TablePagination({
  page,
  perPage,
  total,
  noun,
  nouns,
}: {
  page: number;
  perPage: number;
  total: number;
  noun: string;
  nouns?: string;
}) {
  const setUrlState = useUrlState();
  const first = (page - 1) * perPage + 1;
  const last = Math.min(page * perPage, total);
  const go = (to: number) => setUrlState({ page: to > 1 ? String(to) : undefined });
  const pages = Math.max(1, Math.ceil(total / perPage));
  // The list can have become shorter since the page was bookmarked.
  useEffect(() => {
    if (page > pages) go(pages);
  });
  return (
    <Group component="nav" aria-label="Pagination" justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" aria-live="polite">
        {total > perPage
          ? `${formatNumber(first)}–${formatNumber(last)} of ${formatCount(total, noun, nouns)}`
          : formatCount(total, noun, nouns)}
      </Text>
      {total > perPage && (
        <Pagination
          value={page}
          total={pages}
          siblings={1}
          size="sm"
          onChange={go}
          getControlProps={(control) => ({ 'aria-label': `${NAMES[control]} page` })}
          getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
        />
      )}
    </Group>
  );
}

const NAMES = { first: 'First', previous: 'Previous', next: 'Next', last: 'Last' } as const;
