import { Drawer, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, Outlet, useMatchRoute, useNavigate } from '@tanstack/react-router';
import { signOut } from './api/client.ts';
import { queryClient, sessionQuery } from './api/queries.ts';
import { words } from './parts/format.ts';
import { Icon, type IconName, Shield } from './parts/icons.tsx';
import { NotAllowed } from './screens/trouble.tsx';

const NAVIGATION: {
  title: string;
  links: { to: NonNullable<LinkProps['to']>; label: string; icon: IconName }[];
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

/** What surrounds every screen of somebody who is signed in. */
export function Shell() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { data: session } = useQuery(sessionQuery);
  const matches = useMatchRoute();
  const isAdministrator = session?.user.capabilities.includes('manage_options') ?? true;
  return (
    <div className="frame">
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
        {isAdministrator || matches({ to: '/profile' }) ? <Outlet /> : <NotAllowed />}
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
  return (
    <>
      <Brand {...(onGo && { onGo })} />
      <nav className="nav" aria-label="Screens">
        {NAVIGATION.map(({ title, links }) => (
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
    // Whoever is no longer known is out already.
    await signOut().catch(() => {});
    await navigate({ to: '/sign-in', search: {} });
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
