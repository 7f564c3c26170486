import { Button, Skeleton } from '@mantine/core';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isMissingRoute } from '../api/queries.ts';

export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: TablerIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="card state">
      <Icon size={48} aria-hidden />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const message = error instanceof Error ? error.message : 'Something went wrong.';
  return (
    <div className="card state" role="alert">
      <IconAlertTriangle size={48} />
      <h2>This could not be loaded</h2>
      <p>{message}</p>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Where a list or a form will be. */
export function LoadingState({ lines = 6 }: { lines?: number }) {
  return (
    <div className="card stack" aria-busy="true">
      <span className="unseen">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={line} height={14} width={`${92 - ((line * 17) % 40)}%`} />
      ))}
    </div>
  );
}

/** What an answer brings; until then, and without it, a state of its own. */
export function QueryResult<T>({
  query,
  lines,
  absent,
  children,
}: {
  query: UseQueryResult<T>;
  lines?: number;
  /** In place of a part that this server does not have. */
  absent?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return <LoadingState {...(lines && { lines })} />;
  if (absent && isMissingRoute(query.error)) return absent;
  return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
}
