import { IconAlertTriangle } from '@tabler/icons-react';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiFailure, isServerReachable, NOT_REACHABLE } from '../api/client.ts';
import { LinkButton } from '../components/link-button.tsx';
import { Page } from '../components/page.tsx';
import { EmptyState, ErrorState, LoadingState } from '../components/states.tsx';

const NOT_FETCHED = new Error(
  'This part of the console did not come, or it broke. Pavis may have been updated meanwhile.',
);

/** A screen could not be fetched, because no server answers. */
export class UnreachableError extends Error {
  override readonly name = 'NotReachable';

  constructor() {
    super(NOT_REACHABLE);
  }
}

/** In place of a screen that broke; the rest of the console stays. */
export function PageError({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isRefused = error instanceof ApiFailure;
  async function retry(): Promise<void> {
    if (isRefused) await router.invalidate();
    // A script that did not come is not asked for twice by one page. Without a server, loading the
    // page anew would leave nothing of it.
    else if (await isServerReachable()) location.reload();
  }
  return (
    <Page title={error instanceof UnreachableError ? 'No connection' : 'Something went wrong'}>
      <ErrorState
        error={isRefused || error instanceof UnreachableError ? error : NOT_FETCHED}
        onRetry={retry}
      />
    </Page>
  );
}

/** In place of the whole console. */
export function ConsoleError(fault: ErrorComponentProps) {
  return (
    <SignInLayout>
      <PageError {...fault} />
    </SignInLayout>
  );
}

/** Until it is known who comes. */
export function LoadingScreen() {
  return (
    <SignInLayout>
      <h1 className="unseen">Pavis</h1>
      <LoadingState lines={3} />
    </SignInLayout>
  );
}

/** Within the console. */
export const NotFound = () => (
  <Page title="Page not found" intro="The address may be old, or mistyped.">
    <Link to="/">To the overview</Link>
  </Page>
);

export const PageNotFound = () => (
  <SignInLayout>
    <NotFound />
  </SignInLayout>
);

const SignInLayout = ({ children }: { children: ReactNode }) => (
  <div className="door">
    <main>{children}</main>
  </div>
);

export function Forbidden() {
  return (
    <Page title="Not included in your role">
      <EmptyState
        icon={IconAlertTriangle}
        title="Your role does not include this screen"
        action={<LinkButton to="/">Overview</LinkButton>}
      >
        Ask an administrator for another role if you need it.
      </EmptyState>
    </Page>
  );
}
