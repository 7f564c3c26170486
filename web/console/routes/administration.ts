import { createRoute } from '@tanstack/react-router';
import { app } from './layout.ts';
import { page, pageOfRecord, readSearch } from './page.ts';

const users = createRoute({
  getParentRoute: () => app,
  path: '/users',
  validateSearch: readSearch('view', 'search', 'role', 'page'),
  component: page(() => import('../pages/users/users.tsx'), 'Users'),
});
const newUser = createRoute({
  getParentRoute: () => app,
  path: '/users/new',
  component: page(() => import('../pages/users/new-user.tsx'), 'NewUser'),
});
const user = createRoute({
  getParentRoute: () => app,
  path: '/users/$id',
  ...pageOfRecord,
  component: page(() => import('../pages/users/user.tsx'), 'UserScreen'),
});
const securityLog = createRoute({
  getParentRoute: () => app,
  path: '/security-log',
  validateSearch: readSearch('event', 'user', 'address', 'from', 'to', 'page'),
  component: page(() => import('../pages/security-log/security-log.tsx'), 'SecurityLog'),
});
const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/webhooks',
  component: page(() => import('../pages/webhooks/webhooks.tsx'), 'Webhooks'),
});
const newWebhook = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/new',
  component: page(() => import('../pages/webhooks/new-webhook.tsx'), 'NewWebhook'),
});
const webhook = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/$id',
  ...pageOfRecord,
  validateSearch: readSearch('status', 'page'),
  component: page(() => import('../pages/webhooks/webhook.tsx'), 'WebhookScreen'),
});
const profile = createRoute({
  getParentRoute: () => app,
  path: '/profile',
  component: page(() => import('../pages/users/profile.tsx'), 'Profile'),
});
const developer = createRoute({
  getParentRoute: () => app,
  path: '/developer',
  validateSearch: readSearch('type', 'search'),
  component: page(() => import('../pages/developer.tsx'), 'Developer'),
});
const system = createRoute({
  getParentRoute: () => app,
  path: '/system',
  component: page(() => import('../pages/operations.tsx'), 'OperationsPage'),
});
const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  component: page(() => import('../pages/settings/settings.tsx'), 'SettingsScreen'),
});

/** The routes of users, administration and the profile. */
export const administrationRoutes = [
  users,
  newUser,
  user,
  securityLog,
  webhooks,
  newWebhook,
  webhook,
  profile,
  developer,
  system,
  settings,
] as const;
