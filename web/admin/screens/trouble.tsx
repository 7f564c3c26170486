import { Button } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { Empty, Failed } from '../parts/states.tsx';

/** In place of a screen that broke; the rest of the console stays. */
export function Fault({ error, reset }: ErrorComponentProps) {
  return <Failed error={error} onRetry={reset} />;
}

export function NoSuchPage() {
  return (
    <div className="door">
      <main>
        <Page title="There is nothing here" intro="The address may be old, or mistyped.">
          <Link to="/">To the overview</Link>
        </Page>
      </main>
    </div>
  );
}

export function NotAllowed() {
  return (
    <Page title="Not for this account">
      <Empty
        icon="alert"
        title="Only administrators may look after privacy here"
        action={
          <Button component="a" href="/" variant="default">
            To the start page
          </Button>
        }
      >
        Ask an administrator for the role, or sign out and come back as somebody who has it. Your
        own account is behind your name.
      </Empty>
    </Page>
  );
}
