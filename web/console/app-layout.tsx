import { Drawer, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  type Icon,
  IconBuildingStore,
  IconCode,
  IconCookie,
  IconHourglass,
  IconInbox,
  IconKey,
  IconLayoutDashboard,
  IconLicense,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconSettings,
  IconShieldCheck,
  IconShieldLock,
  IconSitemap,
  IconSun,
  IconUsers,
  IconWebhook,
  IconWorldSearch,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  Link,
  type LinkProps,
  Navigate,
  Outlet,
  useMatches,
  useNavigate,
} from '@tanstack/react-router';
import type { Capability } from '../../src/identity/users/schemas.ts';
import { signOut } from './api/client.ts';
import { queryClient, sessionQuery } from './api/queries.ts';
import { getRequiredCapability, hasCapability, useCan } from './components/access.tsx';
import { toLabel } from './components/format.ts';
import { Logo } from './components/logo.tsx';
import { LeaveGuard, mayLeave } from './components/unsaved.tsx';
import { Forbidden } from './pages/error-pages.tsx';

const NAVIGATION: {
  title: string;
  links: {
    to: NonNullable<LinkProps['to']>;
    label: string;
    icon: Icon;
    /** Who has this reaches it by another screen. */
    unless?: Capability;
  }[];
}[] = [
  {
    title: 'Look after',
    links: [
      { to: '/', label: 'Overview', icon: IconLayoutDashboard },
      { to: '/scanner', label: 'Scanner', icon: IconWorldSearch },
      { to: '/requests', label: 'Requests', icon: IconInbox },
    ],
  },
  {
    title: 'Consent',
    links: [
      { to: '/consent', label: 'Records', icon: IconShieldCheck },
      {
        to: '/consent/figures',
        label: 'Statistics',
        icon: IconShieldCheck,
        unless: 'manage_options',
      },
      { to: '/banner', label: 'Banner', icon: IconCookie },
      { to: '/scripts', label: 'Scripts', icon: IconCode },
    ],
  },
  {
    title: 'Record of processing',
    links: [
      { to: '/vendors', label: 'Vendors', icon: IconBuildingStore },
      { to: '/data-map', label: 'Data map', icon: IconSitemap },
      { to: '/retention', label: 'Retention', icon: IconHourglass },
    ],
  },
  {
    title: 'Customers',
    links: [{ to: '/licences', label: 'Licences', icon: IconLicense }],
  },
  {
    title: 'Pavis',
    links: [
      { to: '/settings', label: 'Settings', icon: IconSettings },
      { to: '/users', label: 'Users', icon: IconUsers },
      { to: '/security-log', label: 'Security log', icon: IconShieldLock },
      { to: '/system', label: 'Licence and health', icon: IconKey },
      { to: '/developer', label: 'Developer', icon: IconWebhook },
    ],
  },
];

/** The first screen of a user: not all may see the overview. */
const homeOf = (user: { capabilities: readonly string[] }): NonNullable<LinkProps['to']> =>
  NAVIGATION.flatMap(({ links }) => links).find(({ to }) =>
    hasCapability(user, getRequiredCapability(to)),
  )?.to ?? '/profile';

/** What surrounds every screen of somebody who is signed in. */
export function AppLayout() {
  const [isOpen, { open, close }] = useDisclosure(false);
  // Of the screen that is shown: the address may already be the next one's.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' });
  const canOpen = useCan(getRequiredCapability(pathname));
  const isHome = /^(?:\/admin)?\/?$/.test(pathname);
  const { data: session } = useQuery(sessionQuery);
  const home = session && homeOf(session.user);
  return (
    <div className="frame">
      <LeaveGuard />
      <a className="skip" href="#content">
        Skip to content
      </a>
      <aside className="side" aria-label="Console">
        <Navbar />
      </aside>
      <header className="top">
        <Brand />
        <button type="button" className="bar-button" aria-label="Menu" onClick={open}>
          <IconMenu2 size={22} aria-hidden />
        </button>
      </header>
      <Drawer
        opened={isOpen}
        onClose={close}
        size="17rem"
        padding={0}
        title={<span className="unseen">Menu</span>}
        withCloseButton={false}
        classNames={{ content: 'side-drawer', header: 'unseen' }}
        styles={{ body: { height: '100%' } }}
      >
        <div className="side">
          <Navbar onGo={close} />
        </div>
      </Drawer>
      <main className="content" id="content" tabIndex={-1}>
        {canOpen ? (
          <Outlet />
        ) : isHome || home === '/profile' ? (
          home && <Navigate to={home} replace />
        ) : (
          <Forbidden />
        )}
      </main>
    </div>
  );
}

function Brand({ onGo }: { onGo?: () => void }) {
  return (
    <Link to="/" className="brand" {...(onGo && { onClick: onGo })} activeProps={{}}>
      <Logo />
      Pavis
    </Link>
  );
}

function Navbar({ onGo }: { onGo?: () => void }) {
  const { data: session } = useQuery(sessionQuery);
  const can = (needed: Capability) => session !== undefined && hasCapability(session.user, needed);
  const groups = NAVIGATION.map(({ title, links }) => ({
    title,
    links: links.filter(
      ({ to, unless }) => can(getRequiredCapability(to)) && !(unless && can(unless)),
    ),
  })).filter(({ links }) => links.length > 0);
  return (
    <>
      <Brand {...(onGo && { onGo })} />
      <nav className="nav" aria-label="Screens">
        {groups.map(({ title, links }) => (
          <div key={title}>
            <h2>{title}</h2>
            <ul>
              {links.map(({ to, label, icon: LinkIcon }) => (
                <li key={label}>
                  <Link
                    to={to}
                    activeOptions={{ exact: to === '/', includeSearch: false }}
                    {...(onGo && { onClick: onGo })}
                  >
                    <LinkIcon size={18} aria-hidden />
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <AccountMenu {...(onGo && { onGo })} />
    </>
  );
}

function AccountMenu({ onGo }: { onGo?: () => void }) {
  const { data } = useQuery(sessionQuery);
  const navigate = useNavigate();
  const scheme = useComputedColorScheme('light');
  const { setColorScheme } = useMantineColorScheme();
  const other = scheme === 'light' ? 'dark' : 'light';
  const leave = async () => {
    if (!(await mayLeave())) return;
    // Whoever is no longer known is out already.
    await signOut().catch(() => {});
    await navigate({ to: '/sign-in', search: {}, ignoreBlocker: true });
    queryClient.clear();
  };
  return (
    <div className="who">
      <Link to="/profile" className="break" title="Your account" {...(onGo && { onClick: onGo })}>
        <b>{data?.user.login}</b>
        {data && toLabel(data.user.role)}
      </Link>
      <span className="row" style={{ gap: 0, flexWrap: 'nowrap' }}>
        <button
          type="button"
          className="bar-button"
          aria-label={`Use ${other} colours`}
          onClick={() => setColorScheme(other)}
        >
          {scheme === 'light' ? (
            <IconMoon size={18} aria-hidden />
          ) : (
            <IconSun size={18} aria-hidden />
          )}
        </button>
        <button type="button" className="bar-button" aria-label="Sign out" onClick={leave}>
          <IconLogout size={18} aria-hidden />
        </button>
      </span>
    </div>
  );
}
