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

/** The parameters that a page reads from its address; empty ones and invalid page numbers are absent. */
function readSearch<K extends string>(...names: K[]) {
  const isValid = (name: K, value: unknown): boolean =>
    Boolean(value) && (name !== 'page' || COUNTING_NUMBER.test(String(value)));
  return (search: Record<string, unknown>): Partial<Record<K, string>> =>
    Object.fromEntries(
      // The router passes other parameters through unchanged.
      names.map((name) => [name, isValid(name, search[name]) ? String(search[name]) : undefined]),
    ) as Partial<Record<K, string>>;
}

/** For pages of one record: an id that cannot exist is not found. */
function checkId({ params }: { params: { id: string } }): void {
  if (!COUNTING_NUMBER.test(params.id)) throw notFound();
}

/** A page that needs more style sheets than the overview. */
function page<T extends Record<string, unknown>>(load: () => Promise<T>, name: keyof T & string) {
  return lazyPage(async () => {
    const [loaded] = await Promise.all([load(), import('./mantine-page-styles.ts')]);
    return loaded;
  }, name);
}

/** A page whose code is fetched when it is first opened. */
function lazyPage<T extends Record<string, unknown>>(
  load: () => Promise<T>,
  name: keyof T & string,
) {
  const fetchPage = () =>
    load().catch(async (error) => {
      // The router reloads the browser's page after a failed import; without a server nothing would be left.
      throw (await isServerReachable()) ? error : new UnreachableError();
    });
  return lazyRouteComponent(fetchPage as () => Promise<never>, name as never);
}

const root = createRootRoute({ component: Outlet, notFoundComponent: PageNotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSearch('next'),
  component: SignIn,
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./pages/setup.tsx'), 'Setup'),
});

/** All pages for signed-in users. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
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
  getParentRoute: () => app,
  path: '/',
  validateSearch: readSearch('period'),
  component: lazyPage(() => import('./pages/overview/overview.tsx'), 'Overview'),
});
const scans = createRoute({
  getParentRoute: () => app,
  path: '/scanner',
  validateSearch: readSearch('by', 'page'),
  component: page(() => import('./pages/scanner/scans.tsx'), 'Scans'),
});
const scan = createRoute({
  getParentRoute: () => app,
  path: '/scanner/$id',
  beforeLoad: checkId,
  validateSearch: readSearch(
    'view',
    'type',
    'vendor',
    'at',
    'only',
    'verdict',
    'search',
    'sort',
    'with',
    'page',
  ),
  component: page(() => import('./pages/scanner/scan.tsx'), 'ScanScreen'),
});
const consent = createRoute({
  getParentRoute: () => app,
  path: '/consent',
  validateSearch: readSearch('search', 'action', 'from', 'to', 'page'),
  component: page(() => import('./pages/consent/records.tsx'), 'Records'),
});
const consentStats = createRoute({
  getParentRoute: () => app,
  path: '/consent/figures',
  validateSearch: readSearch('period', 'from', 'to', 'compare'),
  component: page(() => import('./pages/consent/statistics.tsx'), 'ConsentStatistics'),
});
const banner = createRoute({
  getParentRoute: () => app,
  path: '/banner',
  validateSearch: readSearch('language'),
  component: page(() => import('./pages/consent/banner.tsx'), 'BannerSettings'),
});
const bannerHistory = createRoute({
  getParentRoute: () => app,
  path: '/banner/versions',
  validateSearch: readSearch('version', 'with'),
  component: page(() => import('./pages/consent/versions.tsx'), 'Versions'),
});
const origins = createRoute({
  getParentRoute: () => app,
  path: '/banner/origins',
  component: page(() => import('./pages/consent/origins.tsx'), 'Origins'),
});
const vendors = createRoute({
  getParentRoute: () => app,
  path: '/vendors',
  validateSearch: readSearch('search', 'category', 'used', 'page'),
  component: page(() => import('./pages/vendors/vendors.tsx'), 'Vendors'),
});
const newVendor = createRoute({
  getParentRoute: () => app,
  path: '/vendors/new',
  validateSearch: readSearch('domain', 'scan'),
  component: page(() => import('./pages/vendors/vendor.tsx'), 'NewVendor'),
});
const vendor = createRoute({
  getParentRoute: () => app,
  path: '/vendors/$id',
  beforeLoad: checkId,
  component: page(() => import('./pages/vendors/vendor.tsx'), 'VendorScreen'),
});
const dataMap = createRoute({
  getParentRoute: () => app,
  path: '/data-map',
  validateSearch: readSearch('view', 'search', 'status', 'basis', 'review', 'page'),
  component: page(() => import('./pages/data-map/data-map.tsx'), 'DataMap'),
});
const newEntry = createRoute({
  getParentRoute: () => app,
  path: '/data-map/new',
  validateSearch: readSearch('vendor'),
  component: page(() => import('./pages/data-map/entry.tsx'), 'NewEntry'),
});
const entry = createRoute({
  getParentRoute: () => app,
  path: '/data-map/$id',
  beforeLoad: checkId,
  component: page(() => import('./pages/data-map/entry.tsx'), 'EntryScreen'),
});
const scripts = createRoute({
  getParentRoute: () => app,
  path: '/scripts',
  validateSearch: readSearch('search', 'category', 'active', 'page'),
  component: page(() => import('./pages/scripts/scripts.tsx'), 'Scripts'),
});
const newScript = createRoute({
  getParentRoute: () => app,
  path: '/scripts/new',
  validateSearch: readSearch('url', 'label', 'category', 'method'),
  component: page(() => import('./pages/scripts/script.tsx'), 'NewScript'),
});
const script = createRoute({
  getParentRoute: () => app,
  path: '/scripts/$id',
  beforeLoad: checkId,
  component: page(() => import('./pages/scripts/script.tsx'), 'ScriptScreen'),
});
const declaration = createRoute({
  getParentRoute: () => app,
  path: '/declaration',
  validateSearch: readSearch('language'),
  component: page(() => import('./pages/declaration/declaration.tsx'), 'DeclarationScreen'),
});
const requests = createRoute({
  getParentRoute: () => app,
  path: '/requests',
  validateSearch: readSearch('search', 'status', 'type', 'overdue', 'orderby', 'order', 'page'),
  component: page(() => import('./pages/requests/requests.tsx'), 'Requests'),
});
const newRequest = createRoute({
  getParentRoute: () => app,
  path: '/requests/new',
  component: page(() => import('./pages/requests/new-request.tsx'), 'NewRequest'),
});
const deletedRequests = createRoute({
  getParentRoute: () => app,
  path: '/requests/deleted',
  validateSearch: readSearch('page'),
  component: page(() => import('./pages/requests/deleted.tsx'), 'DeletedRequests'),
});
const request = createRoute({
  getParentRoute: () => app,
  path: '/requests/$id',
  beforeLoad: checkId,
  component: page(() => import('./pages/requests/request.tsx'), 'RequestScreen'),
});
const retention = createRoute({
  getParentRoute: () => app,
  path: '/retention',
  validateSearch: readSearch('view', 'page'),
  component: page(() => import('./pages/retention/retention.tsx'), 'Retention'),
});
const newPolicy = createRoute({
  getParentRoute: () => app,
  path: '/retention/new',
  component: page(() => import('./pages/retention/policy.tsx'), 'NewPolicy'),
});
const policy = createRoute({
  getParentRoute: () => app,
  path: '/retention/$id',
  beforeLoad: checkId,
  component: page(() => import('./pages/retention/policy.tsx'), 'PolicyScreen'),
});
const licences = createRoute({
  getParentRoute: () => app,
  path: '/licences',
  validateSearch: readSearch('search', 'status', 'tier', 'mode', 'expires_within', 'page'),
  component: page(() => import('./pages/licences/licences.tsx'), 'Licences'),
});
const newLicence = createRoute({
  getParentRoute: () => app,
  path: '/licences/new',
  component: page(() => import('./pages/licences/new-licence.tsx'), 'NewLicence'),
});
const bulkLicences = createRoute({
  getParentRoute: () => app,
  path: '/licences/bulk',
  component: page(() => import('./pages/licences/bulk.tsx'), 'BulkLicences'),
});
const licence = createRoute({
  getParentRoute: () => app,
  path: '/licences/$id',
  component: page(() => import('./pages/licences/licence.tsx'), 'LicenceScreen'),
});
const customer = createRoute({
  getParentRoute: () => app,
  path: '/customers/$id',
  beforeLoad: checkId,
  component: page(() => import('./pages/licences/customer-page.tsx'), 'CustomerPage'),
});
const users = createRoute({
  getParentRoute: () => app,
  path: '/users',
  validateSearch: readSearch('view', 'search', 'role', 'page'),
  component: page(() => import('./pages/users/users.tsx'), 'Users'),
});
const newUser = createRoute({
  getParentRoute: () => app,
  path: '/users/new',
  component: page(() => import('./pages/users/new-user.tsx'), 'NewUser'),
});
const user = createRoute({
  getParentRoute: () => app,
  path: '/users/$id',
  beforeLoad: checkId,
  component: page(() => import('./pages/users/user.tsx'), 'UserScreen'),
});
const securityLog = createRoute({
  getParentRoute: () => app,
  path: '/security-log',
  validateSearch: readSearch('event', 'user', 'address', 'from', 'to', 'page'),
  component: page(() => import('./pages/security-log/security-log.tsx'), 'SecurityLog'),
});
const profile = createRoute({
  getParentRoute: () => app,
  path: '/profile',
  component: page(() => import('./pages/users/profile.tsx'), 'Profile'),
});
const developer = createRoute({
  getParentRoute: () => app,
  path: '/developer',
  validateSearch: readSearch('type', 'search'),
  component: page(() => import('./pages/developer.tsx'), 'Developer'),
});
const system = createRoute({
  getParentRoute: () => app,
  path: '/system',
  component: page(() => import('./pages/operations.tsx'), 'OperationsPage'),
});

const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  component: page(() => import('./pages/settings/settings.tsx'), 'SettingsScreen'),
});

/** Every address of the console. */
const routeTree = root.addChildren([
  signIn,
  setup,
  app.addChildren([
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
    declaration,
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
    customer,
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
  // Forms keep unsaved input in a draft and restore it after the next sign-in.
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
