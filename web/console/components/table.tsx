import { Card, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useLocation, useSearch } from '@tanstack/react-router';
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useBusyProps } from './states.tsx';
import { useUrlState } from './url-state.ts';

type Direction = 'asc' | 'desc';
type SortValue = string | number | boolean | null | undefined;

export interface Column<T> {
  /** Empty for a column of actions. */
  title: string;
  cell(row: T): ReactNode;
  align?: 'end';
  /**
   * Makes the column sortable. A string is a value of `orderby`: the API sorts. A function returns the value by which
   * the page sorts, for lists that are loaded completely.
   */
  sort?: string | ((row: T) => SortValue);
}

/** Below this width in px, or if the table does not fit, each row is a card. */
const CARDS_BELOW = { few: 640, many: 900 };
const FEW_COLUMNS = 4;

const getSortKey = <T,>({ title, sort }: Column<T>): string | undefined =>
  typeof sort === 'string' ? sort : sort && title.toLowerCase().replaceAll(' ', '_');

/** Sorts rows by the parameters of the address, before a page slices them. */
export function useSortedRows<T>(columns: readonly Column<T>[], rows: readonly T[]) {
  const { orderby, order } = useSearch({ strict: false }) as Partial<Record<string, string>>;
  const sorted = columns.find((column) => orderby && getSortKey(column) === orderby);
  const direction: Direction = order === 'desc' ? 'desc' : 'asc';
  const { sort } = sorted ?? {};
  return {
    sorted,
    direction,
    rows: typeof sort === 'function' ? sortRows(rows, sort, direction) : rows,
  };
}

/** A sortable table. Where it does not fit, each row is a card. */
export function DataTable<T>({
  label,
  columns,
  rows,
  getKey,
  getGroup = () => '',
}: {
  /** The accessible name. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  getKey(row: T): string | number;
  /** The heading above rows that follow each other; rows without one have an empty text. */
  getGroup?: ((row: T) => string) | undefined;
}) {
  const setUrlState = useUrlState();
  const { sorted, direction, rows: shown } = useSortedRows(columns, rows);
  const card = useRef<HTMLDivElement>(null);
  const { ref, width: observed } = useElementSize();
  const [first, setFirst] = useState(0);
  // The observer reports the width only after the first painting.
  const width = observed || first;
  const mergedRef = useMergedRef(card, ref);
  const titled = columns.filter(({ title }) => title).length;
  const least = CARDS_BELOW[titled > FEW_COLUMNS ? 'many' : 'few'];
  const list = useLocation({ select: ({ searchStr }) => searchStr });
  const [measured, setMeasured] = useState({ rows, list, width: least });
  // Other rows of the same list keep the layout: a list that is refreshed would lose its scroll position.
  const isOther = rows !== measured.rows && list !== measured.list;
  const tableWidth = isOther ? least : measured.width;
  const asCards = width > 0 && width < tableWidth;
  useLayoutEffect(() => {
    // The width of cells that cannot wrap is known only after rendering.
    const { scrollWidth = 0, clientWidth = 0 } = card.current ?? {};
    if (!width) setFirst(clientWidth);
    const isCut = !asCards && scrollWidth > clientWidth;
    // The width of a card that has not been laid out yet is no reason to measure again.
    if (isCut && scrollWidth !== tableWidth) setMeasured({ rows, list, width: scrollWidth });
  });
  // Cards have the titles beside their values. Only the sort buttons remain in the header.
  const titles = asCards ? columns.filter(({ sort }) => sort) : columns;
  return (
    <Card
      padding={0}
      className="table-card"
      ref={mergedRef}
      data-cards={asCards || undefined}
      {...useBusyProps()}
    >
      {/* The roles: table elements that are displayed as blocks lose theirs. */}
      <Table
        role="table"
        aria-label={label}
        highlightOnHover={!asCards}
        verticalSpacing={asCards ? 0 : 'sm'}
        horizontalSpacing={titled > FEW_COLUMNS ? 'xs' : 'md'}
      >
        {titles.length > 0 && (
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {titles.map((column) => (
                <ColumnTitle
                  key={column.title}
                  column={column}
                  direction={column === sorted ? direction : undefined}
                  isOfCards={asCards}
                  onSort={(orderby, order) => setUrlState({ orderby, order })}
                />
              ))}
            </Table.Tr>
          </Table.Thead>
        )}
        <Table.Tbody role="rowgroup">
          {shown.map((row, at) => {
            const group = getGroup(row);
            const before = shown[at - 1];
            return (
              <Fragment key={getKey(row)}>
                {group && (!before || getGroup(before) !== group) && (
                  <Table.Tr role="row" bg="var(--paper)">
                    <Table.Th
                      role="rowheader"
                      scope="rowgroup"
                      colSpan={columns.length}
                      px={asCards ? 0 : 'md'}
                    >
                      {group}
                    </Table.Th>
                  </Table.Tr>
                )}
                <Table.Tr role="row">
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
              </Fragment>
            );
          })}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function ColumnTitle<T>({
  column,
  direction,
  isOfCards,
  onSort,
}: {
  column: Column<T>;
  direction: Direction | undefined;
  isOfCards: boolean;
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
      // On phones the buttons are high enough.
      {...(isOfCards && { py: { base: 0, md: 'xs' } })}
      {...(direction && { 'aria-sort': direction === 'asc' ? 'ascending' : 'descending' })}
    >
      {key ? (
        <UnstyledButton
          className="sort"
          fz="inherit"
          fw="inherit"
          onClick={() => onSort(next && key, next)}
        >
          {title}
          {'\u00A0'}
          <SortIcon size={14} aria-hidden />
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
  direction: Direction,
): T[] {
  const sign = direction === 'desc' ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [getValue(one) ?? null, getValue(other) ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'string' && typeof b === 'string')
      return sign * a.localeCompare(b, undefined, { numeric: true });
    return sign * (Number(a) - Number(b));
  });
}
