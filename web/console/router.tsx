import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isServerReachable } from './api/client.ts';
import { isSessionExpired, onSessionExpired, queryClient, sessionQuery } from './api/queries.ts';
import { AppLayout } from './app-layout.tsx';
import {
  ConsoleError,
  LoadingScreen,
  NotFound,
  PageError,
  PageNotFound,
  UnreachableError,
} from './pages/error-pages.tsx';
import { SignIn } from './pages/sign-in.tsx';

/** An id, and a page of a list. */
const COUNTING_NUMBER = /^[1-9]\d{0,14}$/;

/** What a screen reads from its address: texts, each absent when empty; a page that is none is the first. */
function searchOf<K extends string>(...names: K[]) {
  const isMeant = (name: K, value: unknown): boolean =>
    Boolean(value) && (name !== 'page' || COUNTING_NUMBER.test(String(value)));
  return (search: Record<string, unknown>): Partial<Record<K, string>> =>
    Object.fromEntries(
      // What is not named here the router takes from the address as it stands there.
      names.map((name) => [name, isMeant(name, search[name]) ? String(search[name]) : undefined]),
    ) as Partial<Record<K, string>>;
}

/** For screens of one thing: there is no page where the id cannot be one. */
function checkId({ params }: { params: { id: string } }): void {
  if (!COUNTING_NUMBER.test(params.id)) throw notFound();
}

/** A screen that is fetched when it is first opened. */
function screen<T extends Record<string, unknown>>(load: () => Promise<T>, name: keyof T & string) {
  const fetchScreen = () =>
    load().catch(async (error) => {
      // The router answers a failed import by loading the page anew, which would end the console
      // where no server can be reached.
      throw (await isServerReachable()) ? error : new UnreachableError();
    });
  return lazyRouteComponent(fetchScreen as () => Promise<never>, name as never);
}

const root = createRootRoute({ component: Outlet, notFoundComponent: PageNotFound });

const door = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf('next'),
  component: SignIn,
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./pages/setup.tsx'), 'Setup'),
});

/** All that needs somebody to be signed in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: AppLayout,
  notFoundComponent: NotFound,
  pendingComponent: LoadingScreen,
  errorComponent: ConsoleError,
  async beforeLoad({ location }) {
    try {
      await queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!isSessionExpired(error)) throw error;
      throw redirect({ to: '/sign-in', search: { next: location.publicHref } });
    }
  },
});

const overview = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: screen(() => import('./pages/overview/overview.tsx'), 'Overview'),
});
const scans = createRoute({
  getParentRoute: () => inside,
  path: '/scanner',
  validateSearch: searchOf('page'),
  component: screen(() => import('./pages/scanner/scans.tsx'), 'Scans'),
});
const scan = createRoute({
  getParentRoute: () => inside,
  path: '/scanner/$id',
  beforeLoad: checkId,
  validateSearch: searchOf('view', 'type', 'vendor', 'at', 'only', 'search', 'with', 'page'),
  component: screen(() => import('./pages/scanner/scan.tsx'), 'ScanScreen'),
});
const consent = createRoute({
  getParentRoute: () => inside,
  path: '/consent',
  validateSearch: searchOf('search', 'action', 'from', 'to', 'page'),
  component: screen(() => import('./pages/consent/records.tsx'), 'Records'),
});
const consentStats = createRoute({
  getParentRoute: () => inside,
  path: '/consent/figures',
  validateSearch: searchOf('period', 'from', 'to'),
  component: screen(() => import('./pages/consent/figures.tsx'), 'Figures'),
});
const banner = createRoute({
  getParentRoute: () => inside,
  path: '/banner',
  validateSearch: searchOf('language'),
  component: screen(() => import('./pages/consent/banner.tsx'), 'BannerSettings'),
});
const bannerHistory = createRoute({
  getParentRoute: () => inside,
  path: '/banner/versions',
  validateSearch: searchOf('version', 'with'),
  component: screen(() => import('./pages/consent/versions.tsx'), 'Versions'),
});
const origins = createRoute({
  getParentRoute: () => inside,
  path: '/banner/origins',
  component: screen(() => import('./pages/consent/origins.tsx'), 'Origins'),
});
const vendors = createRoute({
  getParentRoute: () => inside,
  path: '/vendors',
  validateSearch: searchOf('search', 'page'),
  component: screen(() => import('./pages/vendors/vendors.tsx'), 'Vendors'),
});
const newVendor = createRoute({
  getParentRoute: () => inside,
  path: '/vendors/new',
  validateSearch: searchOf('domain', 'scan'),
  component: screen(() => import('./pages/vendors/vendor.tsx'), 'NewVendor'),
});
const vendor = createRoute({
  getParentRoute: () => inside,
  path: '/vendors/$id',
  beforeLoad: checkId,
  component: screen(() => import('./pages/vendors/vendor.tsx'), 'VendorScreen'),
});
const dataMap = createRoute({
  getParentRoute: () => inside,
  path: '/data-map',
  validateSearch: searchOf('view', 'search', 'status', 'basis', 'review', 'page'),
  component: screen(() => import('./pages/data-map/data-map.tsx'), 'DataMap'),
});
const newEntry = createRoute({
  getParentRoute: () => inside,
  path: '/data-map/new',
  validateSearch: searchOf('vendor'),
  component: screen(() => import('./pages/data-map/entry.tsx'), 'NewEntry'),
});
const entry = createRoute({
  getParentRoute: () => inside,
  path: '/data-map/$id',
  beforeLoad: checkId,
  component: screen(() => import('./pages/data-map/entry.tsx'), 'EntryScreen'),
});
const scripts = createRoute({
  getParentRoute: () => inside,
  path: '/scripts',
  validateSearch: searchOf('search', 'category', 'active', 'page'),
  component: screen(() => import('./pages/scripts/scripts.tsx'), 'Scripts'),
});
const newScript = createRoute({
  getParentRoute: () => inside,
  path: '/scripts/new',
  validateSearch: searchOf('url', 'label', 'category', 'method'),
  component: screen(() => import('./pages/scripts/script.tsx'), 'NewScript'),
});
const script = createRoute({
  getParentRoute: () => inside,
  path: '/scripts/$id',
  beforeLoad: checkId,
  component: screen(() => import('./pages/scripts/script.tsx'), 'ScriptScreen'),
});
const requests = createRoute({
  getParentRoute: () => inside,
  path: '/requests',
  validateSearch: searchOf('search', 'status', 'type', 'overdue', 'page'),
  component: screen(() => import('./pages/requests/requests.tsx'), 'Requests'),
});
const newRequest = createRoute({
  getParentRoute: () => inside,
  path: '/requests/new',
  component: screen(() => import('./pages/requests/new-request.tsx'), 'NewRequest'),
});
const deletedRequests = createRoute({
  getParentRoute: () => inside,
  path: '/requests/deleted',
  validateSearch: searchOf('page'),
  component: screen(() => import('./pages/requests/deleted.tsx'), 'DeletedRequests'),
});
const request = createRoute({
  getParentRoute: () => inside,
  path: '/requests/$id',
  beforeLoad: checkId,
  component: screen(() => import('./pages/requests/request.tsx'), 'RequestScreen'),
});
const retention = createRoute({
  getParentRoute: () => inside,
  path: '/retention',
  validateSearch: searchOf('view', 'page'),
  component: screen(() => import('./pages/retention/retention.tsx'), 'Retention'),
});
const newPolicy = createRoute({
  getParentRoute: () => inside,
  path: '/retention/new',
  component: screen(() => import('./pages/retention/policy.tsx'), 'NewPolicy'),
});
const policy = createRoute({
  getParentRoute: () => inside,
  path: '/retention/$id',
  beforeLoad: checkId,
  component: screen(() => import('./pages/retention/policy.tsx'), 'PolicyScreen'),
});
const licences = createRoute({
  getParentRoute: () => inside,
  path: '/licences',
  validateSearch: searchOf('search', 'status', 'tier', 'mode', 'page'),
  component: screen(() => import('./pages/licences/licences.tsx'), 'Licences'),
});
const newLicence = createRoute({
  getParentRoute: () => inside,
  path: '/licences/new',
  component: screen(() => import('./pages/licences/new-licence.tsx'), 'NewLicence'),
});
const bulkLicences = createRoute({
  getParentRoute: () => inside,
  path: '/licences/bulk',
  component: lazyRouteComponent(() => import('./pages/licences/bulk.tsx'), 'BulkLicences'),
});
const licence = createRoute({
  getParentRoute: () => inside,
  path: '/licences/$id',
  component: screen(() => import('./pages/licences/licence.tsx'), 'LicenceScreen'),
});
const users = createRoute({
  getParentRoute: () => inside,
  path: '/users',
  validateSearch: searchOf('view', 'search', 'role', 'page'),
  component: screen(() => import('./pages/users/users.tsx'), 'Users'),
});
const newUser = createRoute({
  getParentRoute: () => inside,
  path: '/users/new',
  component: screen(() => import('./pages/users/new-user.tsx'), 'NewUser'),
});
const user = createRoute({
  getParentRoute: () => inside,
  path: '/users/$id',
  beforeLoad: checkId,
  component: screen(() => import('./pages/users/user.tsx'), 'UserScreen'),
});
const securityLog = createRoute({
  getParentRoute: () => inside,
  path: '/security-log',
  validateSearch: searchOf('event', 'user', 'address', 'from', 'to', 'page'),
  component: screen(() => import('./pages/security-log/security-log.tsx'), 'SecurityLog'),
});
const profile = createRoute({
  getParentRoute: () => inside,
  path: '/profile',
  component: screen(() => import('./pages/users/profile.tsx'), 'Profile'),
});
const developer = createRoute({
  getParentRoute: () => inside,
  path: '/developer',
  validateSearch: searchOf('type', 'search'),
  component: screen(() => import('./pages/developer.tsx'), 'Developer'),
});
const system = createRoute({
  getParentRoute: () => inside,
  path: '/system',
  component: screen(() => import('./pages/system.tsx'), 'System'),
});

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: screen(() => import('./pages/settings/settings.tsx'), 'SettingsScreen'),
});

/** Every address of the console. */
const routeTree = root.addChildren([
  door,
  setup,
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
    bulkLicences,
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
  defaultErrorComponent: PageError,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given as [string, string][]).toString();
    return text && `?${text}`;
  },
});

onSessionExpired(() => {
  queryClient.clear();
  // A form keeps what is typed, and shows it after the next sign-in.
  router.navigate({
    to: '/sign-in',
    search: { next: router.state.location.publicHref },
    ignoreBlocker: true,
  });
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
