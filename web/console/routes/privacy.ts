import { createRoute } from '@tanstack/react-router';
import { app } from './layout.ts';
import { lazyPage, page, pageOfRecord, readSearch } from './page.ts';

const overview = createRoute({
  getParentRoute: () => app,
  path: '/',
  validateSearch: readSearch('period'),
  component: lazyPage(() => import('../pages/overview/overview.tsx'), 'Overview'),
});
const scans = createRoute({
  getParentRoute: () => app,
  path: '/scanner',
  validateSearch: readSearch('by', 'page'),
  component: page(() => import('../pages/scanner/scans.tsx'), 'Scans'),
});
const scan = createRoute({
  getParentRoute: () => app,
  path: '/scanner/$id',
  ...pageOfRecord,
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
  component: page(() => import('../pages/scanner/scan.tsx'), 'ScanScreen'),
});
const consent = createRoute({
  getParentRoute: () => app,
  path: '/consent',
  validateSearch: readSearch('search', 'action', 'from', 'to', 'page'),
  component: page(() => import('../pages/consent/records.tsx'), 'Records'),
});
const consentStats = createRoute({
  getParentRoute: () => app,
  path: '/consent/figures',
  validateSearch: readSearch('period', 'from', 'to', 'compare'),
  component: page(() => import('../pages/consent/statistics.tsx'), 'ConsentStatistics'),
});
const consentLog = createRoute({
  getParentRoute: () => app,
  path: '/consent/log',
  component: page(() => import('../pages/consent-log/consent-log.tsx'), 'ConsentLogScreen'),
});
const banner = createRoute({
  getParentRoute: () => app,
  path: '/banner',
  validateSearch: readSearch('language'),
  component: page(() => import('../pages/consent/banner.tsx'), 'BannerSettings'),
});
const bannerHistory = createRoute({
  getParentRoute: () => app,
  path: '/banner/versions',
  validateSearch: readSearch('version', 'with'),
  component: page(() => import('../pages/consent/versions.tsx'), 'Versions'),
});
const origins = createRoute({
  getParentRoute: () => app,
  path: '/banner/origins',
  component: page(() => import('../pages/consent/origins.tsx'), 'Origins'),
});
const bannerImport = createRoute({
  getParentRoute: () => app,
  path: '/banner/import',
  validateSearch: readSearch('show', 'page'),
  component: page(() => import('../pages/consent/import.tsx'), 'BannerImport'),
});
const vendors = createRoute({
  getParentRoute: () => app,
  path: '/vendors',
  validateSearch: readSearch('search', 'category', 'used', 'page'),
  component: page(() => import('../pages/vendors/vendors.tsx'), 'Vendors'),
});
const newVendor = createRoute({
  getParentRoute: () => app,
  path: '/vendors/new',
  validateSearch: readSearch('domain', 'scan'),
  component: page(() => import('../pages/vendors/vendor.tsx'), 'NewVendor'),
});
const vendor = createRoute({
  getParentRoute: () => app,
  path: '/vendors/$id',
  ...pageOfRecord,
  component: page(() => import('../pages/vendors/vendor.tsx'), 'VendorScreen'),
});
const dataMap = createRoute({
  getParentRoute: () => app,
  path: '/data-map',
  validateSearch: readSearch('view', 'search', 'status', 'basis', 'review', 'page'),
  component: page(() => import('../pages/data-map/data-map.tsx'), 'DataMap'),
});
const newEntry = createRoute({
  getParentRoute: () => app,
  path: '/data-map/new',
  validateSearch: readSearch('vendor'),
  component: page(() => import('../pages/data-map/entry.tsx'), 'NewEntry'),
});
const entry = createRoute({
  getParentRoute: () => app,
  path: '/data-map/$id',
  ...pageOfRecord,
  component: page(() => import('../pages/data-map/entry.tsx'), 'EntryScreen'),
});
const scripts = createRoute({
  getParentRoute: () => app,
  path: '/scripts',
  validateSearch: readSearch('search', 'category', 'active', 'page'),
  component: page(() => import('../pages/scripts/scripts.tsx'), 'Scripts'),
});
const newScript = createRoute({
  getParentRoute: () => app,
  path: '/scripts/new',
  validateSearch: readSearch('url', 'label', 'category', 'method'),
  component: page(() => import('../pages/scripts/script.tsx'), 'NewScript'),
});
const script = createRoute({
  getParentRoute: () => app,
  path: '/scripts/$id',
  ...pageOfRecord,
  component: page(() => import('../pages/scripts/script.tsx'), 'ScriptScreen'),
});
const declaration = createRoute({
  getParentRoute: () => app,
  path: '/declaration',
  validateSearch: readSearch('language'),
  component: page(() => import('../pages/declaration/declaration.tsx'), 'DeclarationScreen'),
});

/** The routes of the overview, scans, consent, vendors, the data map and scripts. */
export const privacyRoutes = [
  overview,
  scans,
  scan,
  consent,
  consentStats,
  consentLog,
  banner,
  bannerHistory,
  origins,
  bannerImport,
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
] as const;
