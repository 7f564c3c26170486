import { Alert, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ConsentLog } from '../../api/types.ts';
import { formatCount, formatMoment } from '../../components/format.ts';

/** Usually, records get their entry within this time. */
const PENDING_MS = 60_000;

/** Alerts about records without an entry, and about witnesses that contradict the log. */
export function LogAlerts({ log }: { log: ConsentLog }) {
  const { not_logged, not_logged_since, witnesses, loss } = log;
  // A lost log is an alert of its own.
  const last_error = loss ? null : log.last_error;
  const isBehind =
    !loss && not_logged_since !== null && Date.now() - Date.parse(not_logged_since) >= PENDING_MS;
  const contradicting = witnesses.filter(({ contradicts }) => contradicts);
  return (
    <>
      {(last_error || isBehind) && (
        <Alert
          color={last_error ? 'red' : 'yellow'}
          icon={<IconAlertTriangle aria-hidden />}
          title={
            last_error
              ? 'The log cannot be written'
              : `${formatCount(not_logged, 'record')} without an entry`
          }
        >
          <Stack gap="xs">
            {last_error && (
              <span className="break">
                {formatMoment(last_error.at)}: {last_error.message}
              </span>
            )}
            {isBehind && (
              <span>
                {formatCount(not_logged, 'record')} without an entry, the oldest from{' '}
                {formatMoment(not_logged_since)}.
              </span>
            )}
            <span>
              Consent choices are recorded all the same, and get their entries once the log is
              written again. {!last_error && 'The log of the server says why it is not.'}
            </span>
          </Stack>
        </Alert>
      )}
      {contradicting.map(({ key, name, error }) => (
        <Alert
          key={key}
          color="red"
          icon={<IconAlertTriangle aria-hidden />}
          title={`The witness ${name} contradicts the log`}
        >
          <Stack gap="xs">
            <span className="break">{error}</span>
            <span>
              The log was restored from a backup, shortened or rewritten, or two servers with the
              same secret write different logs. Keep a copy of the data folder before you change
              anything, then verify the log with contents.
            </span>
          </Stack>
        </Alert>
      ))}
    </>
  );
}
