import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { write } from '../../api/client.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { useChange } from '../../components/form.tsx';
import { formatMoment } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { STALE, type UserSession, userSessionsQuery } from './queries.ts';

/**
 * Where a user is signed in, with a button to end each other session.
 * @param who an id, or `me`
 * @param children further actions
 */
export function Sessions({ who, children }: { who: string; children?: ReactNode }) {
  const sessions = useQuery(userSessionsQuery(who));
  const endingOthers = useChange({
    change: () => write<{ count: number }>('DELETE', '/users/me/sessions?except_current=true'),
    stale: STALE,
    done: 'You are signed out everywhere else.',
  });
  return (
    <Section title="Sessions">
      <QueryResult query={sessions} lines={2}>
        {(all) => (
          <>
            {all.length === 0 ? (
              <Text c="dimmed">No active sessions.</Text>
            ) : (
              <ul role="list" className="plain">
                {all.map((session) => (
                  <Line key={session.id} who={who} session={session} />
                ))}
              </ul>
            )}
            {who === 'me' && all.length > 1 && (
              <Button
                variant="default"
                loading={endingOthers.isPending}
                onClick={() => endingOthers.mutate(undefined)}
              >
                Sign out everywhere else
              </Button>
            )}
          </>
        )}
      </QueryResult>
      {children}
    </Section>
  );
}

function Line({ who, session }: { who: string; session: UserSession }) {
  const { id, device, address, created, last_used, current } = session;
  const ending = useChange({
    change: () => write('DELETE', `/users/${who}/sessions/${id}`),
    stale: STALE,
    done: `The session was ended: ${device}.`,
  });
  return (
    <Group component="li" justify="space-between" py="xs" wrap="nowrap">
      <div>
        <Text fw={600} className="break">
          {device} {current && <StatusBadge tone="info">This device</StatusBadge>}
        </Text>
        <Text size="sm" c="dimmed" className="break">
          {address !== null && `From ${address}. `}Signed in {formatMoment(created)}
          {last_used && `, last used ${formatMoment(last_used)}`}
        </Text>
      </div>
      {!current && (
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          style={{ flexShrink: 0 }}
          aria-label={`End the session: ${device}, signed in ${formatMoment(created)}`}
          loading={ending.isPending}
          onClick={() => ending.mutate(undefined)}
        >
          End
        </Button>
      )}
    </Group>
  );
}
