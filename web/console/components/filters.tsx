import { Group, type MantineSpacing, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { isSiteTimeDifferent } from '../api/site-time.ts';
import { SavedFilters } from './saved-filters.tsx';
import { useUrlState } from './url-state.ts';

/** A row of filters. With a name, users can save the current filters under it and apply them again. */
export function FilterBar({
  name,
  mb = 'md',
  children,
}: {
  name?: string;
  /** Margin at the bottom; 0 within a stack. */
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

/** A search field. Its text is written to the address 250 ms after typing. */
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

/** A date field. Its value is written to the address 250 ms after typing, because an earlier write would reset a half-typed year. */
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
      label={isSiteTimeDifferent() ? `${label} (site time)` : label}
      value={day}
      onChange={({ currentTarget }) => {
        setDay(currentTarget.value);
        writeLater(currentTarget.value);
      }}
    />
  );
}

/** A filter for one of several values, or all. Its value is in the address, and is shown even if it is not an option. */
export function SelectFilter({
  name,
  label,
  value,
  options,
  all = 'All',
  resets,
}: {
  name: string;
  label: string;
  value: string | undefined;
  options: readonly (string | { value: string; label: string })[];
  all?: string;
  /** A parameter of the address whose values depend on this one. */
  resets?: string;
}) {
  const setUrlState = useUrlState();
  const isKnown =
    !value || options.some((each) => (typeof each === 'string' ? each : each.value) === value);
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: all }, ...(isKnown ? [] : [value]), ...options]}
      onChange={({ currentTarget }) =>
        setUrlState({
          ...(resets && { [resets]: undefined }),
          [name]: currentTarget.value || undefined,
        })
      }
    />
  );
}
