import { Drawer, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
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
import { capabilityFor, hasCapability, useCan } from './components/access.tsx';
import { words } from './components/format.ts';
import { Icon, type IconName, Shield } from './components/icons.tsx';
import { LeaveGuard, mayLeave } from './components/unsaved.tsx';
import { NotAllowed } from './pages/trouble.tsx';

const NAVIGATION: {
  title: string;
  links: {
    to: NonNullable<LinkProps['to']>;
    label: string;
    icon: IconName;
    /** Who has this reaches it by another screen. */
    unless?: Capability;
  }[];
}[] = [
  {
    title: 'Look after',
    links: [
      { to: '/', label: 'Overview', icon: 'overview' },
      { to: '/scanner', label: 'Scanner', icon: 'scanner' },
      { to: '/requests', label: 'Requests', icon: 'requests' },
    ],
  },
  {
    title: 'Consent',
    links: [
      { to: '/consent', label: 'Records', icon: 'consent' },
      {
        to: '/consent/figures',
        label: 'Statistics',
        icon: 'consent',
        unless: 'manage_options',
      },
      { to: '/banner', label: 'Banner', icon: 'banner' },
      { to: '/scripts', label: 'Scripts', icon: 'scripts' },
    ],
  },
  {
    title: 'Record of processing',
    links: [
      { to: '/vendors', label: 'Vendors', icon: 'vendors' },
      { to: '/data-map', label: 'Data map', icon: 'map' },
      { to: '/retention', label: 'Retention', icon: 'retention' },
    ],
  },
  {
    title: 'Customers',
    links: [{ to: '/licences', label: 'Licences', icon: 'card' }],
  },
  {
    title: 'Pavis',
    links: [
      { to: '/settings', label: 'Settings', icon: 'settings' },
      { to: '/users', label: 'Users', icon: 'users' },
      { to: '/security-log', label: 'Security log', icon: 'security' },
      { to: '/system', label: 'Licence and health', icon: 'licence' },
      { to: '/developer', label: 'Developer', icon: 'developer' },
    ],
  },
];

/** The first screen of a user: not all may see the overview. */
const homeOf = (user: { capabilities: readonly string[] }): NonNullable<LinkProps['to']> =>
  NAVIGATION.flatMap(({ links }) => links).find(({ to }) => hasCapability(user, capabilityFor(to)))
    ?.to ?? '/profile';

/** What surrounds every screen of somebody who is signed in. */
export function Shell() {
  const [isOpen, { open, close }] = useDisclosure(false);
  // Of the screen that is shown: the address may already be the next one's.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' });
  const canOpen = useCan(capabilityFor(pathname));
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
        <Side />
      </aside>
      <header className="top">
        <Brand />
        <button type="button" className="bar-button" aria-label="Menu" onClick={open}>
          <Icon name="menu" size={22} />
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
          <Side onGo={close} />
        </div>
      </Drawer>
      <main className="content" id="content" tabIndex={-1}>
        {canOpen ? (
          <Outlet />
        ) : isHome || home === '/profile' ? (
          home && <Navigate to={home} replace />
        ) : (
          <NotAllowed />
        )}
      </main>
    </div>
  );
}

function Brand({ onGo }: { onGo?: () => void }) {
  return (
    <Link to="/" className="brand" {...(onGo && { onClick: onGo })} activeProps={{}}>
      <Shield />
      Pavis
    </Link>
  );
}

function Side({ onGo }: { onGo?: () => void }) {
  const { data: session } = useQuery(sessionQuery);
  const can = (needed: Capability) => session !== undefined && hasCapability(session.user, needed);
  const groups = NAVIGATION.map(({ title, links }) => ({
    title,
    links: links.filter(({ to, unless }) => can(capabilityFor(to)) && !(unless && can(unless))),
  })).filter(({ links }) => links.length > 0);
  return (
    <>
      <Brand {...(onGo && { onGo })} />
      <nav className="nav" aria-label="Screens">
        {groups.map(({ title, links }) => (
          <div key={title}>
            <h2>{title}</h2>
            <ul>
              {links.map(({ to, label, icon }) => (
                <li key={label}>
                  <Link
                    to={to}
                    activeOptions={{ exact: to === '/', includeSearch: false }}
                    {...(onGo && { onClick: onGo })}
                  >
                    <Icon name={icon} />
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Who {...(onGo && { onGo })} />
    </>
  );
}

function Who({ onGo }: { onGo?: () => void }) {
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
        {data && words(data.user.role)}
      </Link>
      <span className="row" style={{ gap: 0, flexWrap: 'nowrap' }}>
        <button
          type="button"
          className="bar-button"
          aria-label={`Use ${other} colours`}
          onClick={() => setColorScheme(other)}
        >
          <Icon name={scheme === 'light' ? 'moon' : 'sun'} />
        </button>
        <button type="button" className="bar-button" aria-label="Sign out" onClick={leave}>
          <Icon name="leave" />
        </button>
      </span>
    </div>
  );
}
