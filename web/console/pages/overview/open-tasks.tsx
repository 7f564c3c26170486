import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { isMissingRoute, settingsQuery } from '../../api/queries.ts';
import type { Scan } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { formatDay } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { TextLink as Link } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { refusedOriginsQuery, versionsQuery } from '../consent/queries.ts';
import { driftQuery } from '../declaration/queries.ts';
import { assigneesQuery, deadMailsQuery, openRequestsQuery } from '../requests/queries.ts';
import {
  allResourcesQuery,
  latestProofQuery,
  scheduleQuery,
  summaryQuery,
} from '../scanner/queries.ts';
import { hasAllStates } from '../scanner/states.ts';
import { activeScriptsQuery } from '../scripts/queries.ts';
import { healthQuery, siteLicenceQuery } from '../system-queries.ts';
import { getDriftTasks, getScanTasks, getScheduleTasks } from './scan-tasks.tsx';
import {
  getBannerTasks,
  getEmailTasks,
  getOriginTasks,
  getRequestTasks,
  taskIf,
} from './task-rules.tsx';

/** Open tasks by weight: violations first, then warnings. */
export function OpenTasks({
  last,
  running,
  scans,
}: {
  last: Scan | undefined;
  running: Scan | undefined;
  scans: UseQueryResult;
}) {
  const results = useQuery({ ...summaryQuery(String(last?.scan_id)), enabled: last !== undefined });
  const broken = useQuery({
    ...allResourcesQuery(String(last?.scan_id), { broken_promise: 'true' }),
    enabled: (last?.broken_promises ?? 0) > 0,
  });
  const proofs = useQuery(latestProofQuery);
  const schedule = useQuery(scheduleQuery);
  const drift = useQuery(driftQuery);
  const enabled = useCan('manage_privacy_requests');
  const requests = useQuery({ ...openRequestsQuery, enabled });
  const assignees = useQuery({ ...assigneesQuery, enabled });
  const mails = useQuery({ ...deadMailsQuery, enabled });
  const settings = useQuery(settingsQuery);
  const scripts = useQuery(activeScriptsQuery);
  const isTranslated = (settings.data?.consent.translations.length ?? 0) > 0;
  const versions = useQuery({ ...versionsQuery, enabled: isTranslated });
  const origins = useQuery(refusedOriginsQuery);
  const health = useQuery(healthQuery);
  const licence = useQuery(siteLicenceQuery);
  const parts = [
    scans,
    results,
    broken,
    proofs,
    schedule,
    drift,
    requests,
    assignees,
    mails,
    settings,
    scripts,
    versions,
    origins,
    health,
    licence,
  ];
  const missing = parts.filter(({ error }) => error !== null && !isMissingRoute(error));
  if (parts.some(({ isLoading }) => isLoading)) return <LoadingState lines={3} />;
  const known = scripts.data ?? [];
  const tasks = [
    ...taskIf(health.data?.isWell === false, {
      tone: 'bad',
      title: 'The server is unhealthy',
      text: health.data?.message ?? '',
      action: <Link to="/system">View</Link>,
    }),
    ...taskIf(health.data?.isLogWritten === false, {
      tone: 'bad',
      title: 'The consent log cannot be written',
      text: 'Consent choices are recorded, but get no entries. The log may be lost, or the disk full.',
      action: <Link to="/consent/log">View</Link>,
    }),
    ...taskIf(licence.data?.valid === false && licence.data.key !== null, {
      tone: 'warn',
      title: 'Licence problem',
      text: licence.data?.message ?? '',
      action: <Link to="/system">View</Link>,
    }),
    ...getRequestTasks(requests.data?.items ?? [], assignees.data),
    ...getEmailTasks(mails.data ?? []),
    ...(last && results.data
      ? getScanTasks({
          last,
          results: results.data,
          broken: broken.data ?? [],
          proof: proofs.data?.items[0],
          scripts: known,
        })
      : []),
    ...getScheduleTasks(schedule.data?.last_scan ?? null, last),
    ...(drift.data ? getDriftTasks(drift.data) : []),
    ...(settings.data ? getBannerTasks(settings.data.consent, versions.data ?? [], known) : []),
    ...getOriginTasks(origins.data ?? []),
    ...taskIf(missing.length > 0, {
      tone: 'warn',
      title: 'Some checks could not run',
      text: missing[0]?.error?.message ?? '',
      action: (
        <Button variant="default" onClick={() => missing.forEach(({ refetch }) => void refetch())}>
          Try again
        </Button>
      ),
    }),
  ];
  if (tasks.length === 0 && !last)
    return (
      <Text c="dimmed">
        {running
          ? 'The first scan is running. Its tasks appear here.'
          : 'Run the first scan to see tasks here.'}
      </Text>
    );
  if (tasks.length === 0) {
    return (
      <Alert color="green" icon={<IconCircleCheck aria-hidden />} title="No open tasks">
        {enabled && !requests.error ? 'All requests are on time, the' : 'The'} data map matches the
        site, and all findings are reviewed.
        {last && hasAllStates(last) && last.before_consent === 0 && last.broken_promises === 0 && (
          <>
            {' '}
            In the scan of {formatDay(last.completed_at)}, nothing loaded without consent, and
            rejecting, withdrawing and Global Privacy Control took effect.
          </>
        )}
      </Alert>
    );
  }
  const urgent = tasks.filter(({ tone }) => tone === 'bad');
  const other = tasks.filter(({ tone }) => tone === 'warn');
  return (
    <Stack gap="md">
      {urgent.length > 0 && (
        <Stack component="ul" role="list" className="plain" gap="sm" aria-label="Urgent">
          {urgent.map(({ title, text, action }) => (
            <Alert
              component="li"
              role="listitem"
              key={title}
              color="red"
              icon={<IconAlertTriangle aria-hidden />}
              title={title}
            >
              <Group justify="space-between" gap="xs">
                <Text size="sm" flex="1 1 16rem">
                  {text}
                </Text>
                <Text fw={600}>{action}</Text>
              </Group>
            </Alert>
          ))}
        </Stack>
      )}
      <ItemList label="Other tasks">
        {other.map(({ title, text, action }) => (
          <Item key={title} title={title} text={text} actions={action} />
        ))}
      </ItemList>
    </Stack>
  );
}
