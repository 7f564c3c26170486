import {
  Alert,
  Button,
  Card,
  EmptyState as Empty,
  Skeleton,
  Stack,
  VisuallyHidden,
} from '@mantine/core';
import { IconAlertTriangle, type Icon as TablerIcon } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { ApiError } from '../api/client.ts';
import { isMissingRoute } from '../api/queries.ts';
import { explainError } from './notify.ts';

/** Whether a list still shows what the previous filters have found. */
const Outdated = createContext(false);

/** Properties of the card of a list, which is dimmed if its rows take a while to load. */
export const useBusyProps = () =>
  useContext(Outdated)
    ? { 'aria-busy': true, style: { opacity: 0.6, transition: 'opacity 0.1s 0.2s' } }
    : {};

/** Shown in place of an empty list: why it is empty, and what to do first. */
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
    <Card py={48} {...useBusyProps()}>
      <Empty icon={<Icon stroke={1.4} aria-hidden />}>
        <Empty.Title>{title}</Empty.Title>
        {children && <Empty.Description>{children}</Empty.Description>}
        {action && <Empty.Actions mt="xs">{action}</Empty.Actions>}
      </Empty>
    </Card>
  );
}

/** An error message with a retry button, or a message that the record does not exist. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error instanceof ApiError && error.status === 404)
    return <Alert title="Not found">It may have been deleted.</Alert>;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="This could not be loaded">
      <Stack align="flex-start" gap="sm">
        {explainError(error)}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Placeholder lines until a list or form has loaded. */
export function LoadingState({ lines = 6 }: { lines?: number }) {
  return (
    <Card aria-busy="true">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Stack>
        {Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
          <Skeleton key={line} height={14} width={`${92 - ((line * 17) % 40)}%`} />
        ))}
      </Stack>
    </Card>
  );
}

/**
 * The data of a query; a placeholder while it loads, an error with a retry button if it fails. Lists in it are marked as
 * busy while they show what the previous filters have found.
 */
export function QueryResult<T>({
  query,
  lines,
  absent,
  children,
}: {
  query: UseQueryResult<T>;
  /** The number of placeholder lines. */
  lines?: number;
  /** Shown if this server does not have the route. */
  absent?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined)
    return (
      <Outdated value={query.isPlaceholderData}>
        <VisuallyHidden aria-live="polite">{query.isPlaceholderData && 'Loading'}</VisuallyHidden>
        {children(query.data)}
      </Outdated>
    );
  if (query.isPending) return <LoadingState {...(lines && { lines })} />;
  if (absent && isMissingRoute(query.error)) return absent;
  return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
}
