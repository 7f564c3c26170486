import {
  Alert,
  Button,
  Card,
  Code,
  Group,
  List,
  Progress,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import type { Scan, ScanDetail } from '../../api/types.ts';
import { Allowed } from '../../components/access.tsx';
import { useChange } from '../../components/form.tsx';
import { formatCount, formatNumber, getPath } from '../../components/format.ts';
import { KeyFigures } from '../../components/key-figures.tsx';
import { isRunning, scannedSiteQuery } from './queries.ts';

/** A scan that is not finished: its progress, or why it ended and how to continue. */
export function ScanProgress({ scan }: { scan: ScanDetail }) {
  return isRunning(scan) ? <RunningScan scan={scan} /> : <EndedScan scan={scan} />;
}

const useScanChange = (scan: Scan, path: string, done: string) => {
  const id = String(scan.scan_id);
  return useChange({
    change: () =>
      path === 'complete'
        ? write('POST', '/scanner/complete', { scan_id: scan.scan_id })
        : write('POST', `/scanner/scans/${id}/${path}`),
    stale: [['scans'], ['scan', id], ['results', id], ['resources', id]],
    done,
  });
};

function RunningScan({ scan }: { scan: ScanDetail }) {
  const cancelling = useScanChange(scan, 'cancel', 'The scan was cancelled.');
  const visited = scan.urls.filter(({ state }) => state !== 'planned');
  const planned = scan.pages_planned;
  const heading =
    scan.status === 'queued'
      ? 'Queued'
      : planned === 0
        ? 'Finding pages'
        : `${formatNumber(visited.length)} of ${formatCount(planned, 'page')} scanned`;
  const isStarting = planned === 0 || visited.length === 0;
  return (
    <Card withBorder component="section" aria-label="Progress">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {heading}
          </Title>
          <Allowed>
            <Button
              variant="default"
              size="xs"
              loading={cancelling.isPending}
              onClick={() => cancelling.mutate(undefined)}
            >
              Cancel scan
            </Button>
          </Allowed>
        </Group>
        <Progress.Root size="lg">
          {/* Full and striped until the first page is scanned: the length is not known yet. */}
          <Progress.Section
            value={isStarting ? 100 : (100 * visited.length) / planned}
            {...(isStarting && { color: 'gray', withAria: false, role: 'progressbar' })}
            animated
            striped
            aria-label={heading}
          />
        </Progress.Root>
        <Text size="sm" c="dimmed">
          {scan.status === 'queued'
            ? 'The scan starts when the previous one has ended.'
            : 'The scan runs on the server. You can leave this page.'}
        </Text>
        <KeyFigures
          items={[
            { label: 'Findings', value: formatNumber(scan.resources.total) },
            { label: 'Vendors', value: formatNumber(scan.vendors) },
            { label: 'Before consent', value: formatNumber(scan.resources.before_consent) },
            { label: 'Failed pages', value: formatNumber(scan.pages_failed) },
          ]}
        />
        {visited.length > 0 && (
          <List role="list" size="sm" spacing={4} center listStyleType="none">
            {visited
              .slice(-SHOWN_PAGES)
              .toReversed()
              .map(({ url, findings, error }) => (
                <List.Item
                  key={url}
                  c="dimmed"
                  className="break"
                  icon={
                    error === null ? (
                      <IconCheck size={16} aria-label="Scanned" />
                    ) : (
                      <IconX size={16} aria-label="Failed" />
                    )
                  }
                >
                  {getPath(url)} · {error ?? formatCount(findings, 'finding')}
                </List.Item>
              ))}
          </List>
        )}
      </Stack>
    </Card>
  );
}

/** The latest pages are listed. */
const SHOWN_PAGES = 12;

const HEADINGS: Partial<Record<Scan['status'], string>> = {
  cancelled: 'Scan cancelled',
  failed: 'Scan failed',
  interrupted: 'Scan interrupted',
};

function EndedScan({ scan }: { scan: ScanDetail }) {
  const resuming = useScanChange(scan, 'resume', 'The scan was resumed.');
  const completing = useScanChange(scan, 'complete', 'The scan is finished.');
  const site = useQuery(scannedSiteQuery);
  const isOther = site.data !== undefined && site.data !== scan.site_url;
  const left = scan.urls.filter(({ state }) => state === 'planned').length;
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          {HEADINGS[scan.status] ?? 'Scan not finished'}
        </Title>
        {scan.error && (
          <Alert color="red" variant="light" className="break">
            {scan.error}
          </Alert>
        )}
        <Text c="dimmed">
          {left === 0 && scan.pages_planned > 0
            ? 'All pages were visited.'
            : left > 0 &&
              `${formatNumber(left)} of ${formatCount(scan.pages_planned, 'page')} not visited.`}
        </Text>
        {isOther && (
          <Text>
            The server scans the protected site only. To scan this one again, run{' '}
            <Code className="break">pavis scan {scan.site_url}</Code>
          </Text>
        )}
        <Allowed>
          <Group>
            {!isOther && (scan.status !== 'started' || left > 0 || scan.pages_planned === 0) && (
              <Button loading={resuming.isPending} onClick={() => resuming.mutate(undefined)}>
                {scan.pages_planned === 0 ? 'Try again' : 'Resume scan'}
              </Button>
            )}
            {scan.status === 'started' && (
              <Button
                variant="default"
                loading={completing.isPending}
                onClick={() => completing.mutate(undefined)}
              >
                {left > 0 ? 'Finish without these pages' : 'Finish scan'}
              </Button>
            )}
          </Group>
        </Allowed>
      </Stack>
    </Card>
  );
}
