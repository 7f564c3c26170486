import {
  ActionIcon,
  AppShell,
  Badge,
  Button,
  Drawer,
  Group,
  NavLink,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconLogout, IconMenu2, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  createLink,
  Link,
  Navigate,
  Outlet,
  useMatches,
  useNavigate,
} from '@tanstack/react-router';
import { type AnchorHTMLAttributes, lazy, type Ref, Suspense, useState } from 'react';
import { signOut } from './api/client.ts';
import { queryClient, sessionQuery } from './api/queries.ts';
import { getRequiredCapability, useCan } from './components/access.tsx';
import { formatCount, toLabel } from './components/format.ts';
import { Logo } from './components/logo.tsx';
import { TextLink } from './components/page.tsx';
import { LeaveGuard, mayLeave } from './components/unsaved.tsx';
import { getHomePage, getNavigation, type NavigationItem } from './navigation.ts';
import { Forbidden } from './pages/error-pages.tsx';
import { openRequestsQuery } from './pages/requests/queries.ts';
import { scansQuery, summaryQuery } from './pages/scanner/queries.ts';

/** Loaded when it is first opened. */
const Search = lazy(async () => ({ default: (await import('./components/search.tsx')).Search }));

const HEADER_HEIGHT = 60;
const NAVBAR_WIDTH = 248;

/** What surrounds every page of a signed-in user: navigation, search and account. */
export function AppLayout() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const search = useSearchDialog();
  // The page that is shown, not the address: that may already be the next page's.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' });
  const canOpen = useCan(getRequiredCapability(pathname));
  const isHome = /^(?:\/admin)?\/?$/.test(pathname);
  const { data: session } = useQuery(sessionQuery);
  const home = session && getHomePage(session.user);
  return (
    <AppShell
      header={{ height: { base: HEADER_HEIGHT, md: 0 } }}
      navbar={{ width: NAVBAR_WIDTH, breakpoint: 'md', collapsed: { mobile: true } }}
    >
      <LeaveGuard />
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="md" className="rail" withBorder={false}>
        <Group justify="space-between" h="100%" px="md">
          <Brand />
          <Group gap={0}>
            <ActionIcon variant="subtle" size={44} aria-label="Search" onClick={search.open}>
              <IconSearch size={22} />
            </ActionIcon>
            <ActionIcon variant="subtle" size={44} aria-label="Menu" onClick={open}>
              <IconMenu2 size={22} />
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

const IS_MAC = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The search dialog, which ⌘K or Ctrl K opens too. */
function useSearchDialog() {
  const [isLoaded, setLoaded] = useState(false);
  const open = () => {
    if (isLoaded) void import('@mantine/spotlight').then(({ spotlight }) => spotlight.open());
    else setLoaded(true);
  };
  useHotkeys([['mod+K', open]], []);
  return {
    open,
    dialog: isLoaded && (
      <Suspense>
        <Search />
      </Suspense>
    ),
  };
}

function Brand({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  return (
    <TextLink
      to="/"
      className="brand"
      display="inline-flex"
      c="#fff"
      ff="var(--serif)"
      fz="1.35rem"
      underline="never"
      style={{ alignItems: 'center', gap: '0.7rem' }}
      onClick={onNavigate}
      activeProps={{}}
    >
      <Logo />
      Pavis
    </TextLink>
  );
}

function Navigation({ onNavigate, onSearch }: { onNavigate?: () => void; onSearch?: () => void }) {
  const { data: session } = useQuery(sessionQuery);
  const counts = useCounts();
  return (
    <>
      <AppShell.Section p="md" pb="xs">
        <Brand onNavigate={onNavigate} />
        {onSearch && (
          <Button
            fullWidth
            mt="md"
            size="xs"
            justify="space-between"
            className="rail-search"
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={<span aria-hidden>{IS_MAC ? '⌘ K' : 'Ctrl K'}</span>}
            onClick={onSearch}
          >
            Search
          </Button>
        )}
      </AppShell.Section>
      <AppShell.Section grow px="sm" style={{ overflowY: 'auto' }}>
        <nav aria-label="Pages">
          {session &&
            getNavigation(session.user).map(({ title, links }) => (
              <section key={title} aria-label={title}>
                <Text
                  component="h2"
                  mt="md"
                  mx="sm"
                  mb={4}
                  size="0.6875rem"
                  fw={600}
                  tt="uppercase"
                  lts="0.09em"
                  c="var(--bar-text)"
                >
                  {title}
                </Text>
                {links.map((link) => (
                  <PageLink
                    key={link.to}
                    link={link}
                    count={counts[link.to]}
                    onNavigate={onNavigate}
                  />
                ))}
              </section>
            ))}
        </nav>
      </AppShell.Section>
      <AppShell.Section className="rail-account" p="sm" pl="lg" fz="sm">
        <AccountMenu onNavigate={onNavigate} />
      </AppShell.Section>
    </>
  );
}

interface Count {
  value: number;
  /** For assistive technology and as a tooltip. */
  title: string;
}

/** Open requests and open findings, for the users who may read them. */
function useCounts(): Partial<Record<string, Count>> {
  const canHandleRequests = useCan('manage_privacy_requests');
  const canReadScans = useCan('read_privacy');
  const requests = useQuery({ ...openRequestsQuery, enabled: canHandleRequests });
  const scans = useQuery({ ...scansQuery(), enabled: canReadScans });
  const last = scans.data?.items.find(({ status }) => status === 'completed');
  const findings = useQuery({
    ...summaryQuery(String(last?.scan_id)),
    enabled: canReadScans && last !== undefined,
  });
  const openRequests = requests.data?.items.length ?? 0;
  const openFindings = findings.data?.open ?? 0;
  return {
    ...(openRequests > 0 && {
      '/requests': { value: openRequests, title: formatCount(openRequests, 'open request') },
    }),
    ...(openFindings > 0 && {
      '/scanner': { value: openFindings, title: formatCount(openFindings, 'open finding') },
    }),
  };
}

const LinkedNavLink = createLink(
  (
    props: Parameters<typeof NavLink<'a'>>[0] &
      AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> },
  ) => <NavLink {...props} />,
);

function PageLink({
  link: { to, label, icon: PageIcon },
  count,
  onNavigate,
}: {
  link: NavigationItem;
  count: Count | undefined;
  onNavigate: (() => void) | undefined;
}) {
  return (
    <LinkedNavLink
      to={to}
      label={label}
      className="rail-link"
      activeOptions={{ exact: to === '/', includeSearch: false }}
      leftSection={<PageIcon size={18} stroke={1.7} aria-hidden />}
      rightSection={
        count && (
          <Badge variant="default" size="sm" aria-hidden className="rail-count">
            {count.value}
          </Badge>
        )
      }
      {...(count && { title: count.title })}
      {...(onNavigate && { onClick: onNavigate })}
    />
  );
}

function AccountMenu({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const { data } = useQuery(sessionQuery);
  const navigate = useNavigate();
  const scheme = useComputedColorScheme('light');
  const { setColorScheme } = useMantineColorScheme();
  const other = scheme === 'light' ? 'dark' : 'light';
  const leave = async () => {
    if (!(await mayLeave())) return;
    // A session that has already ended needs no sign-out.
    await signOut().catch(() => {});
    await navigate({ to: '/sign-in', search: {}, ignoreBlocker: true });
    queryClient.clear();
  };
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Link to="/profile" className="rail-user" title="Your account" onClick={onNavigate}>
        <b>{data?.user.login}</b>
        {data && toLabel(data.user.role)}
      </Link>
      <Group gap={0} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={`Use ${other} colours`}
          onClick={() => setColorScheme(other)}
        >
          {scheme === 'light' ? <IconMoon size={18} /> : <IconSun size={18} />}
        </ActionIcon>
        <ActionIcon variant="subtle" size="lg" aria-label="Sign out" onClick={leave}>
          <IconLogout size={18} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
