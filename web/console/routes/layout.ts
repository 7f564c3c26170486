import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { SignedIn } from '../api/client.ts';
import { isSessionExpired, queryClient, sessionQuery } from '../api/queries.ts';
import { AppLayout } from '../app-layout.tsx';
import { ConsoleError, LoadingScreen, NotFound } from '../pages/error-pages.tsx';
import { readSearch } from './page.ts';

export const root = createRootRoute({ component: Outlet });

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSearch('next', 'error'),
  component: lazyRouteComponent(() => import('../pages/sign-in.tsx'), 'SignIn'),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(
    () => import('../pages/password-reset/forgot-password.tsx'),
    'ForgotPassword',
  ),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(
    () => import('../pages/password-reset/reset-password.tsx'),
    'ResetPassword',
  ),
});
/** The routes of password resets. */
export const passwordReset = [forgotPassword, resetPassword] as const;

export const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('../pages/setup.tsx'), 'Setup'),
});

/** The route where users with a required second factor set it up. */
export const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  validateSearch: readSearch('next'),
  component: lazyRouteComponent(
    () => import('../pages/users/second-factor/required.tsx'),
    'RequiredSecondFactor',
  ),
  errorComponent: ConsoleError,
  async beforeLoad({ location }) {
    const session = await ensureSession(location.publicHref);
    if (!session.second_factor_setup_required) throw redirect({ to: '/profile' });
  },
});

/** Returns the session, or redirects to the sign-in page. */
async function ensureSession(next: string): Promise<SignedIn> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!isSessionExpired(error)) throw error;
    throw redirect({ to: '/sign-in', search: { next } });
  }
}

/** The parent route of all pages for signed-in users. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: AppLayout,
  notFoundComponent: NotFound,
  pendingComponent: LoadingScreen,
  errorComponent: ConsoleError,
  async beforeLoad({ location }) {
    const next = location.publicHref;
    const session = await ensureSession(next);
    if (session.second_factor_setup_required)
      throw redirect({ to: '/second-factor', search: { next } });
  },
});

/** All other addresses: signed-in users keep the navigation, others sign in first. */
export const unknown = createRoute({ getParentRoute: () => app, path: '$', component: NotFound });
