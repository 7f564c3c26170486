import { createRoute } from '@tanstack/react-router';
import { app } from './layout.ts';
import { page, pageOfRecord, readSearch } from './page.ts';

const requests = createRoute({
  getParentRoute: () => app,
  path: '/requests',
  validateSearch: readSearch('search', 'status', 'type', 'overdue', 'orderby', 'order', 'page'),
  component: page(() => import('../pages/requests/requests.tsx'), 'Requests'),
});
const newRequest = createRoute({
  getParentRoute: () => app,
  path: '/requests/new',
  component: page(() => import('../pages/requests/new-request.tsx'), 'NewRequest'),
});
const deletedRequests = createRoute({
  getParentRoute: () => app,
  path: '/requests/deleted',
  validateSearch: readSearch('page'),
  component: page(() => import('../pages/requests/deleted.tsx'), 'DeletedRequests'),
});
const request = createRoute({
  getParentRoute: () => app,
  path: '/requests/$id',
  ...pageOfRecord,
  component: page(() => import('../pages/requests/request.tsx'), 'RequestScreen'),
});
const retention = createRoute({
  getParentRoute: () => app,
  path: '/retention',
  validateSearch: readSearch('view', 'page'),
  component: page(() => import('../pages/retention/retention.tsx'), 'Retention'),
});
const newPolicy = createRoute({
  getParentRoute: () => app,
  path: '/retention/new',
  component: page(() => import('../pages/retention/policy.tsx'), 'NewPolicy'),
});
const policy = createRoute({
  getParentRoute: () => app,
  path: '/retention/$id',
  ...pageOfRecord,
  component: page(() => import('../pages/retention/policy.tsx'), 'PolicyScreen'),
});

/** The routes of privacy requests and retention. */
export const requestsRoutes = [
  requests,
  newRequest,
  deletedRequests,
  request,
  retention,
  newPolicy,
  policy,
] as const;
