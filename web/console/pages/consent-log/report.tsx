import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { StatusBadge } from '../../components/badges.tsx';
import { formatCount, formatMoment, formatNumber } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { DataTable } from '../../components/table.tsx';
import { type Report, STATE_NAMES, STATES } from './record-states.ts';

const SHOWN_PROBLEMS = 10;

/** Whether the log was verified without a problem, when and how. */
export function ReportSummary({ report }: { report: Report }) {
  const { ok, deep, started_at, seconds, size, checkpoint_at, problem_count } = report;
  return (
    <Alert
      role="group"
      color={ok ? 'green' : 'red'}
      icon={ok ? <IconCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={ok ? 'No problems found' : `${formatCount(problem_count, 'problem')} found`}
    >
      Verified {formatMoment(started_at)} in{' '}
      {seconds < 1 ? 'less than a second' : formatCount(Math.round(seconds), 'second')}, against{' '}
      {formatCount(size, 'entry', 'entries')} and the checkpoint of {formatMoment(checkpoint_at)}.{' '}
      {deep
        ? 'The contents of records were compared.'
        : 'The contents of records were not compared.'}
    </Alert>
  );
}

/** The problems of a verification with what to do, and the records by state. */
export function ReportDetails({ report }: { report: Report }) {
  const { consent_records, log_records, checkpoints } = report;
  const rows = STATE_NAMES.filter((state) => consent_records[state] + log_records[state] > 0);
  return (
    <Stack>
      <Problems report={report} />
      <DataTable
        label="Records by state"
        rows={rows}
        getKey={(state) => state}
        columns={[
          {
            title: 'State',
            cell: (state) => (
              <StatusBadge tone={STATES[state].tone}>{STATES[state].label}</StatusBadge>
            ),
          },
          {
            title: 'Consent records',
            align: 'end',
            cell: (state) => formatNumber(consent_records[state]),
          },
          {
            title: 'Other records',
            align: 'end',
            cell: (state) => formatNumber(log_records[state]),
          },
          { title: 'Meaning', cell: (state) => STATES[state].meaning },
        ]}
      />
      <Text size="sm" c="dimmed">
        Other records: banner versions and pictures, retention runs and erasures, scans, restores,
        and daily hashes of the licence, user and security logs.
      </Text>
      {checkpoints.length > 0 && (
        <List size="sm">
          {checkpoints.map(({ name, size, consistent }) => (
            <List.Item key={name} className="break">
              Checkpoint {name}
              {size !== null && `, ${formatCount(size, 'entry', 'entries')}`}:{' '}
              {consistent ? 'the log begins with its entries.' : 'the log does not agree with it.'}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

function Problems({ report: { problems, problem_count } }: { report: Report }) {
  const [showsAll, setShowsAll] = useState(false);
  if (problem_count === 0) return null;
  const shown = showsAll ? problems : problems.slice(0, SHOWN_PROBLEMS);
  return (
    <>
      <ItemList label="Problems">
        {shown.map(({ message, advice }) => (
          <Item key={message} title={message} text={advice} />
        ))}
      </ItemList>
      {shown.length < problems.length && (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => setShowsAll(true)}>
            Show {formatCount(problems.length - shown.length, 'more problem')}
          </Button>
        </div>
      )}
      {problem_count > problems.length && shown.length === problems.length && (
        <Text size="sm">
          And {formatCount(problem_count - problems.length, 'more problem')}. The command{' '}
          <code>npx pavis log verify --deep --json</code> lists all.
        </Text>
      )}
    </>
  );
}
