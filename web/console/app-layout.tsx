import { ActionIcon, AppShell, Drawer, Group } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useMatches } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { sessionQuery } from './api/queries.ts';
import { getRequiredCapability, useCan } from './components/access.tsx';
import { notifyError } from './components/notify.ts';
import { LeaveGuard } from './components/unsaved.tsx';
import { getHomePage } from './navigation.ts';
import { Forbidden } from './pages/error-pages.tsx';
import { Brand, Navigation } from './rail.tsx';

const SEARCH_NOT_LOADED = new Error(
  'The search could not be loaded. Check your connection. If Pavis has been updated, reload the page.',
);

const HEADER_HEIGHT = 60;
const NAVBAR_WIDTH = 248;
/** In pixels, because the header has no room for icons that grow with the text. */
const ICON_SIZE = { '--ai-size': '44px' };

/** The layout of all pages for signed-in users: navigation, search and account menu. */
export function AppLayout() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const search = useSearchDialog();
  // Of the page that is shown. During a navigation, the address is already that of the next page.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' });
  const isUnknown = useMatches({ select: (matches) => matches.at(-1)?.routeId === '/app/$' });
  const canOpen = useCan(isUnknown ? 'read' : getRequiredCapability(pathname));
  const isHome = /^(?:\/admin)?\/?$/.test(pathname);
  const { data: session } = useQuery(sessionQuery);
  const home = session && getHomePage(session.user);
  return (
    <AppShell
      header={{ height: { base: HEADER_HEIGHT, md: 0 } }}
      navbar={{ width: NAVBAR_WIDTH, breakpoint: 'md', collapsed: { mobile: true } }}
      // The content has its place at once: a printed page would have it on its way.
      transitionDuration={0}
    >
      <LeaveGuard />
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="md" className="rail" withBorder={false}>
        <Group justify="space-between" h="100%" px="md" gap={0} wrap="nowrap">
          <Brand />
          <Group gap={0} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              style={ICON_SIZE}
              aria-label="Search"
              onClick={search.open}
            >
              <IconSearch size={22} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" style={ICON_SIZE} aria-label="Menu" onClick={open}>
              <IconMenu2 size={22} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar visibleFrom="md" className="rail" withBorder={false} aria-label="Console">
        <Navigation onSearch={search.open} />
      </AppShell.Navbar>
      {search.dialog}
      <Drawer
        opened={isOpen}
        onClose={close}
        size="17rem"
        padding={0}
        title="Menu"
        withCloseButton={false}
        classNames={{ content: 'rail' }}
        styles={{
          header: { display: 'none' },
          body: { height: '100%', display: 'flex', flexDirection: 'column' },
        }}
      >
        <Navigation onNavigate={close} />
      </Drawer>
      <AppShell.Main id="content" tabIndex={-1}>
        {canOpen ? (
          <Outlet />
        ) : isHome || home === '/profile' ? (
          home && <Navigate to={home} replace />
        ) : (
          <Forbidden />
        )}
      </AppShell.Main>
    </AppShell>
  );
}

/** The search dialog, also opened with ⌘K or Ctrl K. It is loaded when first opened; if that fails, the page stays. */
function useSearchDialog() {
  const [Search, setSearch] = useState<ComponentType>();
  const open = async () => {
    try {
      if (Search) (await import('./components/search.tsx')).openSearch();
      else {
        const loaded = await import('./components/search.tsx');
        setSearch(() => loaded.Search);
      }
    } catch {
      notifyError(SEARCH_NOT_LOADED);
    }
  };
  useHotkeys([['mod+K', open]], []);
  return {
    open,
    dialog: Search && <Search />,
  };
}
