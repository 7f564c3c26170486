import { Stack } from '@mantine/core';
import { IconBinaryTree } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { taggedSettingsQuery } from '../../api/queries.ts';
import type { ConsentLog } from '../../api/types.ts';
import { Allowed, ReadOnlyNotice } from '../../components/access.tsx';
import { formatAge, formatMoment, formatNumber } from '../../components/format.ts';
import { KeyFigures } from '../../components/key-figures.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { LogAlerts } from './alerts.tsx';
import { Bundle } from './bundle.tsx';
import { CheckpointAndKey } from './checkpoint.tsx';
import { LossAlert, PastLosses } from './losses.tsx';
import { Publication } from './publication.tsx';
import { logQuery } from './queries.ts';
import { Verification } from './verification.tsx';
import { Witnesses } from './witnesses.tsx';

/** The consent log: its state, verification, publication and witnesses. */
export function ConsentLogScreen() {
  const log = useQuery(logQuery);
  const settings = useQuery(taggedSettingsQuery);
  return (
    <Page
      title="Consent log"
      intro="Each consent choice has an entry in a signed log to which entries are only added. With it you can show that records were not changed, added or removed afterwards."
    >
      <QueryResult query={log} lines={8}>
        {(state) => (
          <Stack>
            <ReadOnlyNotice />
            <LossAlert log={state} />
            <LogAlerts log={state} />
            {state.size === 0 && !state.loss ? (
              <EmptyState icon={IconBinaryTree} title="No entries yet">
                The log begins with the first banner version or consent choice. The server adds
                entries about once a second.
              </EmptyState>
            ) : (
              <>
                <Figures log={state} />
                <PastLosses log={state} />
                <Verification />
              </>
            )}
            <div className="wide-narrow">
              <Stack>
                <CheckpointAndKey log={state} />
                <Witnesses log={state} />
              </Stack>
              <Stack>
                {settings.data && <Publication settings={settings.data} />}
                <Allowed>{state.size > 0 && <Bundle />}</Allowed>
              </Stack>
            </div>
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

function Figures({ log }: { log: ConsentLog }) {
  const { size, checkpoint_at, not_logged, witnesses, loss } = log;
  const cosigned = witnesses.map((each) => each.cosigned_at ?? '').toSorted();
  const last = cosigned.at(-1);
  return (
    <KeyFigures
      items={[
        { label: 'Entries', value: formatNumber(size) },
        {
          label: 'Last checkpoint',
          value: checkpoint_at === null ? '–' : formatAge(checkpoint_at),
          note: formatMoment(checkpoint_at),
        },
        {
          label: 'Records without an entry',
          value: formatNumber(not_logged),
          note:
            not_logged === 0
              ? 'All records are logged'
              : loss
                ? 'Logged when the log is back'
                : 'Usually logged within a second',
        },
        {
          label: 'Witnesses',
          value: formatNumber(witnesses.length),
          note:
            witnesses.length === 0
              ? 'Nobody else confirms the log'
              : last
                ? `Last cosignature ${formatAge(last)}`
                : 'No cosignature yet',
        },
      ]}
    />
  );
}
