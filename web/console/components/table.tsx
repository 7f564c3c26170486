import {
  Card,
  Group,
  type MantineSpacing,
  NativeSelect,
  Pagination,
  Table,
  Text,
  TextInput,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useDebouncedCallback, useElementSize, useMergedRef } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { formatCount, formatNumber } from './format.ts';
import { SavedFilters } from './saved-filters.tsx';
import { useUrlState } from './url-state.ts';

export { useUrlState };

type SortValue = string | number | boolean | null | undefined;

export interface Column<T> {
  /** Empty for a column of actions. */
  title: string;
  cell(row: T): ReactNode;
  align?: 'end';
  /**
   * Makes the column sortable. A text is a field of the API: the page sends `orderby` and `order` of its address.
   * A function gives the value to sort loaded rows by; use it only where all rows are loaded.
   */
  sort?: string | ((row: T) => SortValue);
}

/** Below this width in px, and where a table would be cut, each row is shown as a card. */
const CARDS_BELOW = { few: 640, many: 900 };
const FEW_COLUMNS = 4;

const getSortKey = <T,>({ title, sort }: Column<T>): string | undefined =>
  typeof sort === 'string' ? sort : sort && title.toLowerCase().replaceAll(' ', '_');

/** Rows under titles, sortable where columns say so; a card for each row where there is no room for a table. */
export function DataTable<T>({
  label,
  columns,
  rows,
  getKey,
}: {
  /** The accessible name. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  getKey(row: T): string | number;
}) {
  const { orderby, order } = useSearch({ strict: false }) as Partial<Record<string, string>>;
  const setUrlState = useUrlState();
  const card = useRef<HTMLDivElement>(null);
  const { ref, width } = useElementSize();
  const mergedRef = useMergedRef(card, ref);
  const titled = columns.filter(({ title }) => title).length;
  const [tableWidth, setTableWidth] = useState(CARDS_BELOW[titled > FEW_COLUMNS ? 'many' : 'few']);
  const asCards = width > 0 && width < tableWidth;
  useLayoutEffect(() => {
    // Some cells cannot wrap: what they need is known once they are there.
    const { scrollWidth = 0, clientWidth = 0 } = card.current ?? {};
    if (!asCards && scrollWidth > clientWidth) setTableWidth(scrollWidth);
  });
  // A card names its values itself; what is left above the cards is what they can be sorted by.
  const titles = asCards ? columns.filter(({ sort }) => sort) : columns;
  const sorted = columns.find((column) => orderby && getSortKey(column) === orderby);
  const shown = typeof sorted?.sort === 'function' ? sortRows(rows, sorted.sort, order) : rows;
  return (
    <Card padding={0} className="table-card" ref={mergedRef} data-cards={asCards || undefined}>
      {/* The roles: table elements that are displayed as blocks lose theirs. */}
      <Table role="table" aria-label={label} highlightOnHover={!asCards}>
        {titles.length > 0 && (
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {titles.map((column) => (
                <ColumnTitle
                  key={column.title}
                  column={column}
                  direction={column === sorted ? (order === 'desc' ? 'desc' : 'asc') : undefined}
                  onSort={(by, direction) => setUrlState({ orderby: by, order: direction })}
                />
              ))}
            </Table.Tr>
          </Table.Thead>
        )}
        <Table.Tbody role="rowgroup">
          {shown.map((row) => (
            <Table.Tr key={getKey(row)} role="row">
              {columns.map(({ title, cell, align }) => (
                <Table.Td
                  key={title}
                  role="cell"
                  data-title={title}
                  ta={asCards ? undefined : align}
                >
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

type Direction = 'asc' | 'desc';

function ColumnTitle<T>({
  column,
  direction,
  onSort,
}: {
  column: Column<T>;
  direction: Direction | undefined;
  onSort: (key: string | undefined, direction: Direction | undefined) => void;
}) {
  const { title, align } = column;
  const key = getSortKey(column);
  const SortIcon =
    direction === 'asc' ? IconArrowUp : direction === 'desc' ? IconArrowDown : IconArrowsSort;
  const next = direction === undefined ? 'asc' : direction === 'asc' ? 'desc' : undefined;
  return (
    <Table.Th
      role="columnheader"
      scope="col"
      ta={align}
      {...(direction && { 'aria-sort': direction === 'asc' ? 'ascending' : 'descending' })}
    >
      {key ? (
        <UnstyledButton
          className="sort"
          fz="inherit"
          fw="inherit"
          onClick={() => onSort(next && key, next)}
        >
          {title} <SortIcon size={14} aria-hidden />
        </UnstyledButton>
      ) : (
        title || <VisuallyHidden>Actions</VisuallyHidden>
      )}
    </Table.Th>
  );
}

/** Absent values come last in both directions. */
function sortRows<T>(
  rows: readonly T[],
  getValue: (row: T) => SortValue,
  order: string | undefined,
): T[] {
  const sign = order === 'desc' ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [getValue(one) ?? null, getValue(other) ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'string' && typeof b === 'string')
      return sign * a.localeCompare(b, undefined, { numeric: true });
    return sign * (Number(a) - Number(b));
  });
}

/** A row of filters. With a name, users can save the current filters under it and apply them again. */
export function FilterBar({
  name,
  mb = 'md',
  children,
}: {
  name?: string;
  /** The space below; 0 within a stack. */
  mb?: MantineSpacing;
  children: ReactNode;
}) {
  return (
    <Group component="search" className="filters" align="flex-end" mb={mb}>
      {children}
      {name && <SavedFilters list={name} />}
    </Group>
  );
}

/** A search field whose text is written to the address 250 ms after typing. */
export function SearchField({
  name = 'search',
  value,
  label,
  tidy = (text) => text,
}: {
  /** The parameter of the address. */
  name?: string;
  value: string | undefined;
  label: string;
  /** Changes the text before it is written to the address. */
  tidy?: (text: string) => string;
}) {
  const setUrlState = useUrlState();
  const [text, setText] = useState(value ?? '');
  useEffect(() => setText(value ?? ''), [value]);
  const writeLater = useDebouncedCallback(
    (search: string) => setUrlState({ [name]: tidy(search) || undefined }),
    250,
  );
  return (
    <TextInput
      flex="3 1 14rem"
      maw="32rem"
      type="search"
      label={label}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        writeLater(currentTarget.value);
      }}
    />
  );
}

/** A date whose value is written to the address 250 ms after typing: an earlier write would reset a half-typed year. */
export function DateFilter({
  name,
  label,
  value,
}: {
  /** The parameter of the address. */
  name: string;
  label: string;
  value: string | undefined;
}) {
  const setUrlState = useUrlState();
  const [day, setDay] = useState(value ?? '');
  useEffect(() => setDay(value ?? ''), [value]);
  const writeLater = useDebouncedCallback(
    (chosen: string) => setUrlState({ [name]: chosen || undefined }),
    250,
  );
  return (
    <TextInput
      type="date"
      label={label}
      value={day}
      onChange={({ currentTarget }) => {
        setDay(currentTarget.value);
        writeLater(currentTarget.value);
      }}
    />
  );
}

/** One of several values, or all; kept in the address. */
export function SelectFilter({
  name,
  label,
  value,
  options,
  all = 'All',
}: {
  name: string;
  label: string;
  value: string | undefined;
  options: readonly (string | { value: string; label: string })[];
  all?: string;
}) {
  const setUrlState = useUrlState();
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: all }, ...options]}
      onChange={({ currentTarget }) => setUrlState({ [name]: currentTarget.value || undefined })}
    />
  );
}

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
  // A bookmarked page of a list that has become shorter.
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
