import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ConsentLog } from '../../api/types.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { formatCount, formatMoment } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { Section } from '../../components/section.tsx';

const GuideLink = () => (
  <Anchor
    href="/docs/guides/consent-log#if-the-log-is-lost"
    target="_blank"
    underline="always"
    inherit
  >
    Guide: if the log is lost (new tab)
  </Anchor>
);

/** The log is not the one that the database knows, and nothing is written to it until it is restored or replaced. */
export function LossAlert({ log: { loss, not_logged } }: { log: ConsentLog }) {
  if (!loss) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="The log is lost or damaged">
      <Stack gap="xs">
        <span className="break">{loss.message}</span>
        <span className="break">
          <b>What to do:</b> {loss.advice}
        </span>
        <span>
          Until then, nothing is added to the log. Consent choices are still recorded
          {not_logged > 0 && ` (${formatCount(not_logged, 'record')} without an entry)`}.
        </span>
        <span>
          <GuideLink />
        </span>
      </Stack>
    </Alert>
  );
}

/** Logs that were replaced, and restores that lost records. Nothing without them. */
export function PastLosses({ log: { origin, lost_logs, restores } }: { log: ConsentLog }) {
  if (lost_logs.length + restores.length === 0) return null;
  return (
    <Section title="Losses">
      <Text size="sm" maw="46rem">
        The log states these losses itself, so auditors see them too. <GuideLink />
      </Text>
      <ItemList label="Losses">
        {lost_logs.map(({ origin: name, size, replaced_at, verifier_key }) => (
          <Item
            key={name}
            title={`A log was lost and replaced on ${formatMoment(replaced_at)}`}
            text={
              <>
                The log {name} had {formatCount(size, 'entry', 'entries')}. Of records from before,
                it is proven only that they were there when a new log was started. Give witnesses
                and all who rely on the log the verifier key of {origin}.
              </>
            }
          >
            <CopyField
              label="Verifier key of the lost log"
              description="Keep it: receipts from before are verified with it."
              value={verifier_key}
            />
          </Item>
        ))}
        {restores.map(({ restored_at, consent_records, log_records }) => (
          <Item
            key={restored_at}
            title={`${describeLost(consent_records, log_records)} lost in a restore on ${formatMoment(restored_at)}`}
            text="The database was restored from a backup that does not have them. Their entries remain, so visitors can still verify their receipts, and their ids are not given out again. If you have a later backup, keep it."
          />
        ))}
      </ItemList>
    </Section>
  );
}

const describeLost = (consent: number, others: number): string =>
  [
    ...(consent > 0 ? [formatCount(consent, 'consent record')] : []),
    ...(others > 0 ? [formatCount(others, 'other record')] : []),
  ].join(' and ');
