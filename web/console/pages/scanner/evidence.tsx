import { Drawer, Group, List, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ScanState } from '../../api/types.ts';
import { formatNumber, getPath, toLabel } from '../../components/format.ts';
import { DataTable } from '../../components/table.tsx';
import { explainNextStep, getRejection, getTitle } from './decisions.ts';
import type { Resource } from './queries.ts';
import { StateMarks } from './state-marks.tsx';
import { getStateLabel } from './states.ts';
import { byWeight, VERDICTS, VerdictBadge } from './verdicts.tsx';

/** Why a resource has its verdicts: what was seen in which state, when, and what caused it. */
export function EvidenceDrawer({
  resource,
  visited,
  onClose,
  actions,
}: {
  /** The drawer is closed without one. */
  resource: Resource | undefined;
  visited: readonly ScanState[];
  onClose: () => void;
  actions?: ReactNode;
}) {
  return (
    <Drawer
      opened={resource !== undefined}
      onClose={onClose}
      position="right"
      size="44rem"
      title={resource && getTitle(resource)}
    >
      {resource && <Evidence {...{ resource, visited, actions }} />}
    </Drawer>
  );
}

function Evidence({
  resource,
  visited,
  actions,
}: {
  resource: Resource;
  visited: readonly ScanState[];
  actions: ReactNode;
}) {
  const { resource_type, url, verdicts, states, evidence, page_urls, pages } = resource;
  const next =
    resource.proof?.status === 'proven'
      ? 'Nothing. It is blocked until consent, and a check has proven it.'
      : explainNextStep(resource);
  return (
    <Stack gap="lg">
      <div>
        <Text size="sm" c="dimmed" className="break" mb="xs">
          {toLabel(resource_type)} · {url}
        </Text>
        <StateMarks visited={visited} seen={states} verdicts={verdicts} />
      </div>
      <Stack component="ul" role="list" className="plain" gap="sm" aria-label="Verdicts">
        {verdicts.toSorted(byWeight).map((verdict) => (
          <li key={verdict}>
            <VerdictBadge verdict={verdict} />
            <Text size="sm" mt={4}>
              {VERDICTS[verdict].meaning}
            </Text>
          </li>
        ))}
      </Stack>
      {(next || actions) && (
        <section>
          <Title order={3} mb={4}>
            What to do
          </Title>
          <Group justify="space-between" gap="xs">
            {next && (
              <Text size="sm" flex="1 1 14rem" className="break">
                {next}
              </Text>
            )}
            {actions}
          </Group>
        </section>
      )}
      <section>
        <Title order={3} mb="xs">
          Evidence
        </Title>
        {evidence.length === 0 ? (
          <Text size="sm" c="dimmed">
            {getRejection(resource) ?? 'It stands in the page, but no visit saw it at work'}.
          </Text>
        ) : (
          <DataTable
            label="Evidence"
            rows={evidence}
            getKey={({ state, url: requested, at_ms }) => `${state} ${requested} ${at_ms}`}
            columns={[
              { title: 'State', cell: ({ state }) => getStateLabel(state) },
              {
                title: 'Request or source',
                cell: (each) => <span className="break">{each.url}</span>,
              },
              {
                title: 'Caused by',
                cell: ({ initiator }) => <span className="break">{initiator ?? 'Unknown'}</span>,
              },
              {
                title: 'Moment',
                align: 'end',
                cell: ({ at_ms }) => <span className="number">{formatNumber(at_ms)} ms</span>,
              },
            ]}
          />
        )}
      </section>
      <section>
        <Title order={3} mb="xs">
          Pages ({formatNumber(pages)})
        </Title>
        <List size="sm" className="break">
          {page_urls.map((page) => (
            <List.Item key={page}>{getPath(page)}</List.Item>
          ))}
          {pages > page_urls.length && (
            <List.Item>and {formatNumber(pages - page_urls.length)} more</List.Item>
          )}
        </List>
      </section>
    </Stack>
  );
}
