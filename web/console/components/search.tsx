import '@mantine/spotlight/styles.css';
import { VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import {
  type Icon,
  IconBuildingStore,
  IconFileText,
  IconInbox,
  IconLicense,
  IconSearch,
  IconShieldCheck,
  IconUser,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type LinkProps, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Capability } from '../../../src/identity/users/schemas.ts';
import { list, type Page } from '../api/client.ts';
import { isMissingRoute, sessionQuery } from '../api/queries.ts';
import type { ConsentRecord, Vendor } from '../api/types.ts';
import { getNavigation } from '../navigation.ts';
import type { Customer, Licence } from '../pages/licences/queries.ts';
import type { Case } from '../pages/requests/types.ts';
import { hasCapability } from './access.tsx';
import { CHOICES } from './badges.tsx';
import { formatCount, toLabel } from './format.ts';
import { withoutKey } from './licence-key.ts';
import { explainError } from './notify.ts';

const TYPING_MS = 200;
const PER_GROUP = 5;
const QUERY_MIN_LENGTH = 2;

const [store, dialog] = createSpotlight();
export const openSearch = dialog.open;
/** The id of the list of hits in the page. */
const LIST = 'search-hits';

interface Hit {
  id: string;
  label: string;
  description?: string;
  link: LinkProps;
}

interface Source {
  title: string;
  icon: Icon;
  needs: Capability;
  find: (search: string, signal: AbortSignal) => Promise<Hit[]>;
}

const query = (search: string) => ({ search, per_page: PER_GROUP });

const find =
  <T,>(path: string, toHit: (item: T) => Hit): Source['find'] =>
  async (search, signal) => {
    const none: Page<T> = { items: [], total: 0 };
    const { items } = await list<T>(path, query(search), signal).catch((error) => {
      if (isMissingRoute(error)) return none;
      throw error;
    });
    return items.map(toHit);
  };

const SOURCES: readonly Source[] = [
  {
    title: 'Requests',
    icon: IconInbox,
    needs: 'manage_privacy_requests',
    find: find<Case>('/dsar/cases', ({ id, reference, request_type, status }) => ({
      id: `request-${id}`,
      label: reference,
      description: `${toLabel(request_type)}, ${toLabel(status).toLowerCase()}`,
      link: { to: '/requests/$id', params: { id: String(id) } },
    })),
  },
  {
    title: 'Customers',
    icon: IconUser,
    needs: 'manage_options',
    find: find<Customer>('/console/licences/customers', ({ id, email, licences }) => ({
      id: `customer-${id}`,
      label: email ?? 'Deleted customer',
      description: `${licences} ${licences === 1 ? 'licence' : 'licences'}`,
      link: { to: '/customers/$id', params: { id: String(id) } },
    })),
  },
  {
    title: 'Licences',
    icon: IconLicense,
    needs: 'manage_options',
    find: find<Licence>('/console/licences', ({ id, key, email, status }) => ({
      id: `licence-${id}`,
      label: key,
      description: `${email ?? 'Deleted customer'}, ${status}`,
      link: { to: '/licences/$id', params: { id } },
    })),
  },
  {
    title: 'Vendors',
    icon: IconBuildingStore,
    needs: 'read_privacy',
    find: find<Vendor>('/vendors', ({ id, name, domains }) => ({
      id: `vendor-${id}`,
      label: name,
      description: domains.slice(0, 3).join(', '),
      link: { to: '/vendors/$id', params: { id: String(id) } },
    })),
  },
  {
    title: 'Consent records',
    icon: IconShieldCheck,
    needs: 'manage_options',
    find: find<ConsentRecord>('/consent/records', ({ id, visitor_id, consent_action }) => ({
      id: `consent-${id}`,
      label: visitor_id ?? 'Anonymised',
      description: CHOICES[consent_action].label,
      link: { to: '/consent', search: { search: visitor_id ?? undefined } },
    })),
  },
];

/** Searches pages, requests, customers, licences, vendors and consent records that the user can read. */
export function Search() {
  const { data: session } = useQuery(sessionQuery);
  const router = useRouter();
  const [text, setText] = useState('');
  const asked = withoutKey(text.trim());
  const [search] = useDebouncedValue(asked, TYPING_MS);
  const user = session?.user ?? { capabilities: [] };
  const isSearching = search.length >= QUERY_MIN_LENGTH;
  const results = useQuery({
    queryKey: ['search', search],
    enabled: isSearching,
    queryFn: ({ signal }) =>
      Promise.all(
        SOURCES.filter(({ needs }) => hasCapability(user, needs)).map(
          async ({ title, icon, find: findIn }) => ({
            title,
            icon,
            hits: await findIn(search, signal),
          }),
        ),
      ),
  });
  useEffect(() => openSearch(), []);
  const pages = getNavigation(user)
    .flatMap(({ links }) => links)
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ to, label }): Hit => ({ id: `page-${to}`, label, link: { to } }));
  // While a new text is being searched, hits of the previous one are hidden: Enter would open one of them.
  const isCurrent = isSearching && search === asked;
  const found = (isCurrent ? (results.data ?? []) : []).filter(({ hits }) => hits.length > 0);
  const groups = [
    ...(pages.length > 0 ? [{ title: 'Pages', icon: IconFileText, hits: pages }] : []),
    ...found,
  ];
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  const empty =
    results.isFetching || search !== asked
      ? 'Searching…'
      : results.isError
        ? `The search failed. ${explainError(results.error)}`
        : `No results for “${text}”`;
  const [active, setList] = useSelected();
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      scrollable
      maxHeight="60vh"
      shortcut={null}
      attributes={{ content: { 'aria-label': 'Search' } }}
    >
      {/* Mantine selects a hit without telling assistive technology. */}
      <Spotlight.Search
        aria-label="Search"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={count > 0}
        aria-controls={LIST}
        aria-activedescendant={active}
        placeholder="Pages, requests, customers, licences, vendors, visitors…"
        leftSection={<IconSearch size={20} aria-hidden />}
      />
      <Spotlight.ActionsList
        id={LIST}
        ref={setList}
        {...(count > 0 && { role: 'listbox', 'aria-label': 'Results' })}
      >
        {groups.map(({ title, icon: GroupIcon, hits }) => (
          <Spotlight.ActionsGroup key={title} label={title} role="group" aria-label={title}>
            {hits.map(({ id, label, description, link }) => (
              <Spotlight.Action
                key={id}
                // Mantine does not pass an id on.
                ref={(hit: HTMLElement | null) => hit?.setAttribute('id', id)}
                role="option"
                aria-selected={id === active}
                mih={44}
                label={label}
                {...(description && { description })}
                leftSection={<GroupIcon size={20} stroke={1.6} aria-hidden />}
                onClick={() => void router.navigate(link as never)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {count === 0 && <Spotlight.Empty aria-hidden>{empty}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <VisuallyHidden aria-live="polite">
        {text.trim() && (count > 0 ? formatCount(count, 'result') : empty)}
      </VisuallyHidden>
    </Spotlight.Root>
  );
}

/** The id of the selected hit, which Mantine marks in the page only, and the ref of the list. */
function useSelected() {
  const [list, setList] = useState<HTMLElement | null>(null);
  const [id, setId] = useState<string>();
  useEffect(() => {
    if (!list) return;
    const observer = new MutationObserver(() => setId(list.querySelector('[data-selected]')?.id));
    observer.observe(list, { subtree: true, childList: true, attributeFilter: ['data-selected'] });
    return () => observer.disconnect();
  }, [list]);
  return [id, setList] as const;
}
