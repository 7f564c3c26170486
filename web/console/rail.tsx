import {
  ActionIcon,
  AppShell,
  Badge,
  Button,
  Group,
  NavLink,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { IconHelp, IconLogout, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createLink, Link, useMatches, useMatchRoute, useNavigate } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, type Ref, useEffect, useRef } from 'react';
import { signOut } from './api/client.ts';
import { isSessionExpired, queryClient, sessionQuery } from './api/queries.ts';
import { useCan } from './components/access.tsx';
import { formatCount, toLabel } from './components/format.ts';
import { Logo } from './components/logo.tsx';
import { notifyError } from './components/notify.ts';
import { TextLink } from './components/page.tsx';
import { mayLeave } from './components/unsaved.tsx';
import { getNavigation, type NavigationItem } from './navigation.ts';
import { openRequestsQuery } from './pages/requests/queries.ts';
import { lastScanQuery, summaryQuery } from './pages/scanner/queries.ts';

const IS_MAC = /mac|iphone|ipad/i.test(navigator.userAgent);

export function Brand({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  return (
    <TextLink
      to="/"
      className="brand"
      display="inline-flex"
      miw={0}
      c="#fff"
      ff="var(--serif)"
      fz="1.35rem"
      underline="never"
      style={{ alignItems: 'center', gap: '0.7rem', overflow: 'hidden' }}
      onClick={onNavigate}
      activeProps={{}}
    >
      <Logo />
      Pavis
    </TextLink>
  );
}

export function Navigation({
  onNavigate,
  onSearch,
}: {
  onNavigate?: () => void;
  onSearch?: () => void;
}) {
  const { data: session } = useQuery(sessionQuery);
  const counts = useCounts();
  const matchRoute = useMatchRoute();
  const page = usePage();
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path determines the current link
  useEffect(() => {
    const link = list.current?.querySelector('.rail-link.active')?.getBoundingClientRect();
    if (!list.current || !link) return;
    const { top, bottom } = list.current.getBoundingClientRect();
    // In Chromium, `scrollIntoView` would also make the next Tab start at the link, past “Skip to content”.
    list.current.scrollBy(0, Math.min(0, link.top - top) + Math.max(0, link.bottom - bottom));
  }, [page, session]);
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
            fw={400}
            color="#ffffff1c"
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={<span aria-hidden>{IS_MAC ? '⌘ K' : 'Ctrl K'}</span>}
            onClick={onSearch}
          >
            Search
          </Button>
        )}
      </AppShell.Section>
      <AppShell.Section ref={list} grow px="sm" style={{ overflowY: 'auto' }}>
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
                    // The subpage has its own link.
                    isExact={links.some(
                      ({ to }) =>
                        to.startsWith(`${link.to}/`) && Boolean(matchRoute({ to, fuzzy: true })),
                    )}
                    onNavigate={onNavigate}
                  />
                ))}
              </section>
            ))}
        </nav>
      </AppShell.Section>
      <AppShell.Section p="sm" pl="lg" fz="sm" style={{ borderTop: '1px solid var(--bar-line)' }}>
        <AccountMenu onNavigate={onNavigate} />
      </AppShell.Section>
    </>
  );
}

const usePage = () => useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' });

interface Count {
  value: number;
  /** The accessible name and tooltip. */
  title: string;
}

/** Open requests and open findings, for the users who may read them. */
function useCounts(): Partial<Record<string, Count>> {
  const canHandleRequests = useCan('manage_privacy_requests');
  const canReadScans = useCan('read_privacy');
  const requests = useQuery({ ...openRequestsQuery, enabled: canHandleRequests });
  const scans = useQuery({ ...lastScanQuery, enabled: canReadScans });
  const last = scans.data?.last;
  const findings = useQuery({
    ...summaryQuery(String(last?.scan_id)),
    enabled: canReadScans && last !== undefined,
  });
  const openRequests = requests.data?.items.length ?? 0;
  const openFindings = findings.data?.open_resources ?? 0;
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
  isExact,
  onNavigate,
}: {
  link: NavigationItem;
  count: Count | undefined;
  /** Whether subpages are not part of it. */
  isExact: boolean;
  onNavigate: (() => void) | undefined;
}) {
  return (
    <LinkedNavLink
      to={to}
      label={label}
      className="rail-link"
      activeOptions={{ exact: isExact || to === '/', includeSearch: false }}
      leftSection={<PageIcon size={18} stroke={1.7} aria-hidden />}
      rightSection={
        count && (
          <Badge bg="#ffffff1c" c="#fff" size="sm" fw={400} aria-hidden>
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
  const page = usePage();
  const scheme = useComputedColorScheme('light');
  const { setColorScheme } = useMantineColorScheme();
  const other = scheme === 'light' ? 'dark' : 'light';
  const leave = async () => {
    if (!(await mayLeave())) return;
    try {
      const providerUrl = await signOut();
      if (providerUrl) return location.assign(providerUrl);
    } catch (error) {
      // A session that has already ended needs no sign-out.
      if (!isSessionExpired(error)) return notifyError(error);
    }
    await navigate({ to: '/sign-in', search: {}, ignoreBlocker: true });
    queryClient.clear();
  };
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Link to="/profile" className="rail-user" title="Your account" onClick={onNavigate}>
        <Text component="b" display="block" fz="inherit" fw={700} c="#fff">
          {data?.user.login}
        </Text>
        {data && toLabel(data.user.role)}
      </Link>
      <Group gap={0} wrap="nowrap">
        {/* The server finds the guide to the page. */}
        <ActionIcon
          component="a"
          href={`/docs/console${page.replace(/^\/admin/, '')}`}
          target="_blank"
          variant="subtle"
          size="lg"
          aria-label="Help for this page (new tab)"
        >
          <IconHelp size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={`Use ${other} colours`}
          onClick={() => setColorScheme(other)}
        >
          {scheme === 'light' ? (
            <IconMoon size={18} aria-hidden />
          ) : (
            <IconSun size={18} aria-hidden />
          )}
        </ActionIcon>
        <ActionIcon variant="subtle" size="lg" aria-label="Sign out" onClick={leave}>
          <IconLogout size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  );
}
