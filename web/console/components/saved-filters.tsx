import { ActionIcon, Button, Divider, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { sessionQuery } from '../api/queries.ts';

type Search = Record<string, string | undefined>;
interface SavedFilter {
  name: string;
  search: Search;
}

/** Parameters of the address that are no filters. */
const NOT_FILTERS = ['page', 'view', 'orderby', 'order', 'sort'];

/** Named filters of a list, stored in the browser for each user. */
export function SavedFilters({ list }: { list: string }) {
  const login = useQuery(sessionQuery).data?.user.login ?? '';
  const navigate = useNavigate();
  const { page: _, ...current } = useSearch({ strict: false }) as Search;
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [name, setName] = useState('');
  const [saved, setSaved] = useLocalStorage<SavedFilter[]>({
    key: `pavis-filters:${login}:${list}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const others = Object.fromEntries(
    Object.entries(current).filter(([key]) => NOT_FILTERS.includes(key)),
  );
  const isFiltered = Object.entries(current).some(([key, value]) => value && !(key in others));
  if (!isFiltered && saved.length === 0) return null;
  const apply = (search: Search) => {
    navigate({ to: '.', search, replace: true } as never);
    close();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) return;
    const kept = saved.filter((filter) => filter.name !== name.trim());
    setSaved([...kept, { name: name.trim(), search: current }]);
    setName('');
    close();
  };
  return (
    <Popover opened={isOpen} onChange={close} trapFocus position="bottom-end" shadow="md">
      <Popover.Target>
        <Button
          flex="none"
          variant="default"
          leftSection={<IconBookmark size={16} aria-hidden />}
          onClick={toggle}
        >
          Filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved filters" maw={320}>
        <Stack gap="xs">
          {saved.map((filter) => (
            <Group key={filter.name} gap="xs" wrap="nowrap" justify="space-between">
              <Button
                variant="subtle"
                size="compact-md"
                color="gray"
                onClick={() => apply(filter.search)}
              >
                {filter.name}
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Delete the filter ${filter.name}`}
                onClick={() => setSaved(saved.filter((each) => each !== filter))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          {saved.length > 0 && isFiltered && <Divider />}
          {isFiltered && (
            <>
              <form onSubmit={save}>
                <Group gap="xs" align="flex-end" wrap="nowrap">
                  <TextInput
                    label="Save current filters as"
                    maxLength={60}
                    value={name}
                    onChange={({ currentTarget }) => setName(currentTarget.value)}
                  />
                  <Button type="submit" variant="default">
                    Save
                  </Button>
                </Group>
              </form>
              <Button variant="subtle" size="compact-md" onClick={() => apply(others)}>
                Clear filters
              </Button>
            </>
          )}
          <Text size="xs" c="dimmed">
            Saved in this browser.
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
