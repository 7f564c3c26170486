import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isSignedOut, queryClient, sessionQuery, whenSignedOut } from './api/queries.ts';
import { SignIn } from './screens/sign-in.tsx';
import { Fault, NoSuchPage, NothingWorks, Opening } from './screens/trouble.tsx';
import { Shell } from './shell.tsx';

/** What a screen reads from its address: texts, each absent when empty. */
function searchOf<K extends string>(...names: K[]) {
  return (search: Record<string, unknown>): Partial<Record<K, string>> =>
    Object.fromEntries(
      names.flatMap((name) => (search[name] ? [[name, String(search[name])]] : [])),
    ) as Partial<Record<K, string>>;
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NoSuchPage });

const door = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf('next'),
  component: SignIn,
});

/** All that needs somebody to be signed in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  pendingComponent: Opening,
  errorComponent: NothingWorks,
  async beforeLoad({ location }) {
    try {
      await queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      throw redirect({ to: '/sign-in', search: { next: location.publicHref } });
    }
  },
});

const overview = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/overview/overview.tsx'), 'Overview'),
});
const scans = createRoute({
  getParentRoute: () => inside,
  path: '/scanner',
  validateSearch: searchOf('page'),
  component: lazyRouteComponent(() => import('./screens/scanner/scans.tsx'), 'Scans'),
});
const scan = createRoute({
  getParentRoute: () => inside,
  path: '/scanner/$id',
  validateSearch: searchOf('view', 'type', 'vendor', 'at', 'only', 'search', 'with', 'page'),
  component: lazyRouteComponent(() => import('./screens/scanner/scan.tsx'), 'ScanScreen'),
});
const consent = createRoute({
  getParentRoute: () => inside,
  path: '/consent',
  validateSearch: searchOf('search', 'action', 'from', 'to', 'page'),
  component: lazyRouteComponent(() => import('./screens/consent/records.tsx'), 'Records'),
});
const consentStats = createRoute({
  getParentRoute: () => inside,
  path: '/consent/figures',
  validateSearch: searchOf('period', 'from', 'to'),
  component: lazyRouteComponent(() => import('./screens/consent/figures.tsx'), 'Figures'),
});
const banner = createRoute({
  getParentRoute: () => inside,
  path: '/banner',
  validateSearch: searchOf('language'),
  component: lazyRouteComponent(() => import('./screens/consent/banner.tsx'), 'BannerSettings'),
});
const bannerHistory = createRoute({
  getParentRoute: () => inside,
  path: '/banner/versions',
  validateSearch: searchOf('version', 'with'),
  component: lazyRouteComponent(() => import('./screens/consent/versions.tsx'), 'Versions'),
});
const origins = createRoute({
  getParentRoute: () => inside,
  path: '/banner/origins',
  component: lazyRouteComponent(() => import('./screens/consent/origins.tsx'), 'Origins'),
});
const vendors = createRoute({
  getParentRoute: () => inside,
  path: '/vendors',
  validateSearch: searchOf('search', 'page'),
  component: lazyRouteComponent(() => import('./screens/vendors/vendors.tsx'), 'Vendors'),
});
const newVendor = createRoute({
  getParentRoute: () => inside,
  path: '/vendors/new',
  validateSearch: searchOf('domain', 'scan'),
  component: lazyRouteComponent(() => import('./screens/vendors/vendor.tsx'), 'NewVendor'),
});
const vendor = createRoute({
  getParentRoute: () => inside,
  path: '/vendors/$id',
  component: lazyRouteComponent(() => import('./screens/vendors/vendor.tsx'), 'VendorScreen'),
});
const dataMap = createRoute({
  getParentRoute: () => inside,
  path: '/data-map',
  validateSearch: searchOf('view', 'search', 'status', 'basis', 'review', 'page'),
  component: lazyRouteComponent(() => import('./screens/data-map/data-map.tsx'), 'DataMap'),
});
const newEntry = createRoute({
  getParentRoute: () => inside,
  path: '/data-map/new',
  validateSearch: searchOf('vendor'),
  component: lazyRouteComponent(() => import('./screens/data-map/entry.tsx'), 'NewEntry'),
});
const entry = createRoute({
  getParentRoute: () => inside,
  path: '/data-map/$id',
  component: lazyRouteComponent(() => import('./screens/data-map/entry.tsx'), 'EntryScreen'),
});
const scripts = createRoute({
  getParentRoute: () => inside,
  path: '/scripts',
  validateSearch: searchOf('search', 'category', 'active', 'page'),
  component: lazyRouteComponent(() => import('./screens/scripts/scripts.tsx'), 'Scripts'),
});
const newScript = createRoute({
  getParentRoute: () => inside,
  path: '/scripts/new',
  validateSearch: searchOf('url', 'label', 'category', 'method'),
  component: lazyRouteComponent(() => import('./screens/scripts/script.tsx'), 'NewScript'),
});
const script = createRoute({
  getParentRoute: () => inside,
  path: '/scripts/$id',
  component: lazyRouteComponent(() => import('./screens/scripts/script.tsx'), 'ScriptScreen'),
});
const requests = createRoute({
  getParentRoute: () => inside,
  path: '/requests',
  validateSearch: searchOf('search', 'status', 'type', 'overdue', 'page'),
  component: lazyRouteComponent(() => import('./screens/requests/requests.tsx'), 'Requests'),
});
const newRequest = createRoute({
  getParentRoute: () => inside,
  path: '/requests/new',
  component: lazyRouteComponent(() => import('./screens/requests/new-request.tsx'), 'NewRequest'),
});
const deletedRequests = createRoute({
  getParentRoute: () => inside,
  path: '/requests/deleted',
  validateSearch: searchOf('page'),
  component: lazyRouteComponent(() => import('./screens/requests/deleted.tsx'), 'DeletedRequests'),
});
const request = createRoute({
  getParentRoute: () => inside,
  path: '/requests/$id',
  component: lazyRouteComponent(() => import('./screens/requests/request.tsx'), 'RequestScreen'),
});
const retention = createRoute({
  getParentRoute: () => inside,
  path: '/retention',
  validateSearch: searchOf('view', 'page'),
  component: lazyRouteComponent(() => import('./screens/retention/retention.tsx'), 'Retention'),
});
const newPolicy = createRoute({
  getParentRoute: () => inside,
  path: '/retention/new',
  component: lazyRouteComponent(() => import('./screens/retention/policy.tsx'), 'NewPolicy'),
});
const policy = createRoute({
  getParentRoute: () => inside,
  path: '/retention/$id',
  component: lazyRouteComponent(() => import('./screens/retention/policy.tsx'), 'PolicyScreen'),
});
const licences = createRoute({
  getParentRoute: () => inside,
  path: '/licences',
  validateSearch: searchOf('search', 'status', 'tier', 'mode', 'page'),
  component: lazyRouteComponent(() => import('./screens/licences/licences.tsx'), 'Licences'),
});
const newLicence = createRoute({
  getParentRoute: () => inside,
  path: '/licences/new',
  component: lazyRouteComponent(() => import('./screens/licences/new-licence.tsx'), 'NewLicence'),
});
const licence = createRoute({
  getParentRoute: () => inside,
  path: '/licences/$id',
  component: lazyRouteComponent(() => import('./screens/licences/licence.tsx'), 'LicenceScreen'),
});
const users = createRoute({
  getParentRoute: () => inside,
  path: '/users',
  validateSearch: searchOf('view', 'search', 'role', 'page'),
  component: lazyRouteComponent(() => import('./screens/users/users.tsx'), 'Users'),
});
const newUser = createRoute({
  getParentRoute: () => inside,
  path: '/users/new',
  component: lazyRouteComponent(() => import('./screens/users/new-user.tsx'), 'NewUser'),
});
const user = createRoute({
  getParentRoute: () => inside,
  path: '/users/$id',
  component: lazyRouteComponent(() => import('./screens/users/user.tsx'), 'UserScreen'),
});
const securityLog = createRoute({
  getParentRoute: () => inside,
  path: '/security-log',
  validateSearch: searchOf('event', 'user', 'address', 'from', 'to', 'page'),
  component: lazyRouteComponent(
    () => import('./screens/security-log/security-log.tsx'),
    'SecurityLog',
  ),
});
const profile = createRoute({
  getParentRoute: () => inside,
  path: '/profile',
  component: lazyRouteComponent(() => import('./screens/users/profile.tsx'), 'Profile'),
});
const developer = createRoute({
  getParentRoute: () => inside,
  path: '/developer',
  validateSearch: searchOf('type', 'search'),
  component: lazyRouteComponent(() => import('./screens/developer.tsx'), 'Developer'),
});
const system = createRoute({
  getParentRoute: () => inside,
  path: '/system',
  component: lazyRouteComponent(() => import('./screens/system.tsx'), 'System'),
});

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screens/settings/settings.tsx'), 'SettingsScreen'),
});

/** Every address of the console. */
const routeTree = root.addChildren([
  door,
  inside.addChildren([
    overview,
    scans,
    scan,
    consent,
    consentStats,
    banner,
    bannerHistory,
    origins,
    vendors,
    newVendor,
    vendor,
    dataMap,
    newEntry,
    entry,
    scripts,
    newScript,
    script,
    requests,
    newRequest,
    deletedRequests,
    request,
    retention,
    newPolicy,
    policy,
    licences,
    newLicence,
    licence,
    users,
    newUser,
    user,
    securityLog,
    profile,
    developer,
    settings,
    system,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/admin',
  defaultPreload: 'intent',
  defaultErrorComponent: Fault,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given as [string, string][]).toString();
    return text && `?${text}`;
  },
});

whenSignedOut(() => {
  queryClient.clear();
  router.navigate({ to: '/sign-in', search: { next: router.state.location.publicHref } });
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
