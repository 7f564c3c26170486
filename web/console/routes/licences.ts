import { createRoute } from '@tanstack/react-router';
import { app } from './layout.ts';
import { page, pageOfRecord, readSearch } from './page.ts';

const licences = createRoute({
  getParentRoute: () => app,
  path: '/licences',
  validateSearch: readSearch(
    'search',
    'status',
    'product',
    'tier',
    'mode',
    'expires_within',
    'page',
  ),
  component: page(() => import('../pages/licences/licences.tsx'), 'Licences'),
});
const newLicence = createRoute({
  getParentRoute: () => app,
  path: '/licences/new',
  component: page(() => import('../pages/licences/new-licence.tsx'), 'NewLicence'),
});
const bulkLicences = createRoute({
  getParentRoute: () => app,
  path: '/licences/bulk',
  component: page(() => import('../pages/licences/bulk.tsx'), 'BulkLicences'),
});
const importLicences = createRoute({
  getParentRoute: () => app,
  path: '/licences/import',
  component: page(() => import('../pages/licences/import.tsx'), 'ImportLicences'),
});
const licenceStatistics = createRoute({
  getParentRoute: () => app,
  path: '/licences/statistics',
  validateSearch: readSearch('period', 'product', 'mode'),
  component: page(() => import('../pages/licences/statistics.tsx'), 'LicenceStatisticsPage'),
});
const apiTokens = createRoute({
  getParentRoute: () => app,
  path: '/licences/api-tokens',
  component: page(() => import('../pages/licences/api-tokens.tsx'), 'ApiTokens'),
});
const licence = createRoute({
  getParentRoute: () => app,
  path: '/licences/$id',
  component: page(() => import('../pages/licences/licence.tsx'), 'LicenceScreen'),
});
const customer = createRoute({
  getParentRoute: () => app,
  path: '/customers/$id',
  ...pageOfRecord,
  component: page(() => import('../pages/licences/customer-page.tsx'), 'CustomerPage'),
});

/** The routes of licences and customers. */
export const licencesRoutes = [
  licences,
  newLicence,
  bulkLicences,
  importLicences,
  licenceStatistics,
  apiTokens,
  licence,
  customer,
] as const;
