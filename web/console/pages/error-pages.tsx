import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { ApiError, isServerReachable, NOT_REACHABLE } from '../api/client.ts';
import { LinkButton } from '../components/link-button.tsx';
import { Page } from '../components/page.tsx';
import { SignInLayout } from '../components/sign-in-layout.tsx';
import { EmptyState, ErrorState, LoadingState } from '../components/states.tsx';

const NOT_FETCHED = new Error(
  'This page could not be loaded. Pavis may have been updated. Reload the page.',
);

/** A page could not be fetched because the server does not answer. */
export class UnreachableError extends Error {
  override readonly name = 'NotReachable';

  constructor() {
    super(NOT_REACHABLE);
  }
}

/** Replaces a page that failed; navigation stays. */
export function PageError({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isRefused = error instanceof ApiError;
  async function retry(): Promise<void> {
    if (isRefused) await router.invalidate();
    // Browsers do not retry a failed script; reloading without a server would lose the whole console.
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

/** Replaces the whole console. */
export function ConsoleError(fault: ErrorComponentProps) {
  return (
    <SignInLayout>
      <PageError {...fault} />
    </SignInLayout>
  );
}

/** Shown until the session is known. */
export function LoadingScreen() {
  return (
    <SignInLayout>
      <VisuallyHidden component="h1">Pavis</VisuallyHidden>
      <LoadingState lines={3} />
    </SignInLayout>
  );
}

/** Within the console. */
export const NotFound = () => (
  <Page title="Page not found" intro="The address may be outdated or mistyped.">
    <Link to="/">Go to overview</Link>
  </Page>
);

export function Forbidden() {
  return (
    <Page title="No access">
      <EmptyState
        icon={IconAlertTriangle}
        title="Your role does not include this page"
        action={<LinkButton to="/">Overview</LinkButton>}
      >
        Ask an administrator for another role if you need it.
      </EmptyState>
    </Page>
  );
}
