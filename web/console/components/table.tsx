import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { formatCount, formatNumber } from './format.ts';

export interface Column<T> {
  title: string;
  cell(row: T): ReactNode;
  align?: 'end';
}

/** So many titles are read in a narrower place than more are. */
const FEW = 4;

/** Rows under titles; where there is no room for that, each row is a small card. */
export function DataTable<T>({
  label,
  columns,
  rows,
  getKey,
}: {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  getKey(row: T): string | number;
}) {
  const many = columns.filter(({ title }) => title).length > FEW;
  return (
    <div className={many ? 'card table-card many-columns' : 'card table-card'}>
      <div className="measure">
        {/* Roles: as blocks on a narrow screen these would lose them. */}
        {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
        <table className="list" role="table" aria-label={label}>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ title, align }) => (
                <th key={title} role="columnheader" scope="col" className={align}>
                  {title || <span className="unseen">Actions</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <tr key={getKey(row)} role="row">
                {columns.map(({ title, cell, align }) => (
                  <td key={title} role="cell" data-title={title} className={align}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
      </div>
    </div>
  );
}

/** Changes what the address says of this screen; a change of filters starts from the first page. */
export function useUrlState(): (changes: Record<string, string | undefined>) => void {
  const navigate = useNavigate();
  return (changes) => {
    navigate({
      to: '.',
      search: (old: object) => ({ ...old, page: undefined, ...changes }),
      replace: true,
    } as never);
  };
}

/** A search that is in the address a moment after the typing. */
export function SearchField({
  name = 'search',
  value,
  label,
  tidy = (text) => text,
}: {
  /** What it is called in the address. */
  name?: string;
  value: string | undefined;
  label: string;
  /** What of the typing may stand in the address. */
  tidy?: (text: string) => string;
}) {
  const change = useUrlState();
  const [text, setText] = useState(value ?? '');
  useEffect(() => setText(value ?? ''), [value]);
  const settle = useDebouncedCallback(
    (search: string) => change({ [name]: tidy(search) || undefined }),
    250,
  );
  return (
    <TextInput
      className="grow"
      type="search"
      label={label}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        settle(currentTarget.value);
      }}
    />
  );
}

/** One of several, or all; kept in the address. */
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
  const change = useUrlState();
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: all }, ...options]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value || undefined })}
    />
  );
}

/** Where one is in a list, and on to its other pages. */
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
  const change = useUrlState();
  const first = (page - 1) * perPage + 1;
  const last = Math.min(page * perPage, total);
  const go = (to: number) => change({ page: to > 1 ? String(to) : undefined });
  const pages = Math.max(1, Math.ceil(total / perPage));
  // An address that was kept, of a list that is shorter by now.
  useEffect(() => {
    if (page > pages) go(pages);
  });
  return (
    <nav className="pager" aria-label="Pages">
      <span aria-live="polite">
        {total > perPage
          ? `${formatNumber(first)}–${formatNumber(last)} of ${formatCount(total, noun, nouns)}`
          : formatCount(total, noun, nouns)}
      </span>
      {total > perPage && (
        <span className="row">
          <Button
            size="xs"
            variant="default"
            disabled={page <= 1}
            aria-label="Previous page"
            onClick={() => go(page - 1)}
          >
            Previous
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={last >= total}
            aria-label="Next page"
            onClick={() => go(page + 1)}
          >
            Next
          </Button>
        </span>
      )}
    </nav>
  );
}
