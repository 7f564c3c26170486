import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { getDownloadUrl } from '../../api/downloads.ts';
import type { ConsentRecord, RecordState } from '../../api/types.ts';
import { StatusBadge, type Tone } from '../../components/badges.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatNumber } from '../../components/format.ts';
import { TextLink } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';

const REFRESH_MS = 2_000;

const stateQuery = (id: number) =>
  queryOptions({
    queryKey: ['consent', 'log-state', id],
    queryFn: () => get<RecordState>(`/consent/records/${id}/log-state`),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? REFRESH_MS : false),
  });

const STATES: Record<RecordState['state'], [tone: Tone, label: string, meaning: string]> = {
  intact: ['good', 'Intact', 'The record is exactly as it was logged.'],
  earlier: [
    'info',
    'From before the log',
    'The record is as it was when the log began. Nothing is proven about the time before.',
  ],
  anonymised: [
    'neutral',
    'Anonymised',
    'Its personal data was removed. Its facts are as they were logged. A verification of the log checks that a logged run removed it.',
  ],
  altered: [
    'bad',
    'Altered',
    'The record is not what was logged. Compare it with a backup from before the change, and find out who has access to the database.',
  ],
  pending: ['neutral', 'Not logged yet', 'The record gets its entry within seconds.'],
  unlogged: [
    'bad',
    'Unlogged',
    'The record has no entry: the log is not being written, or the record was added outside of Pavis.',
  ],
};

/** A button that compares a record with the consent log, and offers the proof of its entry. */
export function RecordProof({ record: { id } }: { record: ConsentRecord }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Proof of record ${id}`}
        onClick={open}
      >
        Proof
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Consent record ${id} in the log`} centered>
        <State id={id} />
      </Modal>
    </>
  );
}

function State({ id }: { id: number }) {
  const compared = useQuery(stateQuery(id));
  return (
    <QueryResult query={compared} lines={3}>
      {({ state, index, size }) => {
        const [tone, label, meaning] = STATES[state];
        return (
          <Stack>
            <Facts
              items={[
                [
                  'State',
                  <StatusBadge key="state" tone={tone}>
                    {label}
                  </StatusBadge>,
                ],
                ['Index of its entry', index !== null && formatNumber(index)],
                ['Entries in the log', formatNumber(size)],
              ]}
            />
            <Text size="sm">
              {meaning}{' '}
              {state === 'unlogged' && (
                <>
                  The <TextLink to="/consent/log">consent log</TextLink> says whether it is written.
                </>
              )}
            </Text>
            {index !== null && (
              <>
                <Text size="sm" c="dimmed">
                  The proof shows that the log has this entry, and contains no personal data. Others
                  check it with the verifier key of the log, in software that reads C2SP tlog-proof.
                </Text>
                <Group justify="flex-end">
                  <Button
                    component="a"
                    data-autofocus
                    href={getDownloadUrl(`/consent/records/${id}/proof`)}
                    leftSection={<IconDownload size={16} aria-hidden />}
                  >
                    Download proof
                  </Button>
                </Group>
              </>
            )}
          </Stack>
        );
      }}
    </QueryResult>
  );
}
