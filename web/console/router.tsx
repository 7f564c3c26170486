import { createRouter } from '@tanstack/react-router';
import {
  onSecondFactorMissing,
  onSessionExpired,
  queryClient,
  sessionQuery,
} from './api/queries.ts';
import { keepUnsaved } from './components/unsaved.tsx';
import { PageError } from './pages/error-pages.tsx';
import { administrationRoutes } from './routes/administration.ts';
import { app, passwordReset, root, secondFactor, setup, signIn, unknown } from './routes/layout.ts';
import { licencesRoutes } from './routes/licences.ts';
import { privacyRoutes } from './routes/privacy.ts';
import { productsRoutes } from './routes/products.ts';
import { requestsRoutes } from './routes/requests.ts';

/** All routes of the console. */
const routeTree = root.addChildren([
  signIn,
  ...passwordReset,
  setup,
  secondFactor,
  app.addChildren([
    ...privacyRoutes,
    ...requestsRoutes,
    ...licencesRoutes,
    ...productsRoutes,
    ...administrationRoutes,
    unknown,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/admin',
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  // The page of another record is another page: input and secrets of one must not be shown on the next.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given as [string, string][]).toString();
    return text && `?${text}`;
  },
});

onSessionExpired(() => {
  keepUnsaved();
  queryClient.clear();
  // The previous page can send more requests, which fail in the same way.
  if (router.latestLocation.pathname === signIn.fullPath) return;
  // Forms keep unsaved input in a draft and restore it after the next sign-in.
  router.navigate({
    to: '/sign-in',
    search: { next: router.state.location.publicHref },
    ignoreBlocker: true,
  });
});

// The session has the flag, and the routes redirect to the setup.
onSecondFactorMissing(() => {
  queryClient.removeQueries(sessionQuery);
  void router.invalidate();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
