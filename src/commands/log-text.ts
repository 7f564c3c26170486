import type { VerificationReport } from '../privacy/consent-log/index.ts';

/** Problems that are printed; `--json` prints all. */
const SHOWN = 20;

const STATES = {
  intact: 'intact',
  present: 'there (contents not compared)',
  earlier: 'from before the log',
  anonymised: 'anonymised by a logged run',
  deleted: 'deleted by a logged run',
  lost: 'lost when a backup was restored',
  pending: 'waiting to be logged',
  altered: 'ALTERED',
  missing: 'MISSING',
  unlogged: 'UNLOGGED',
} as const;

/** The result of a verification: what was checked, counts, and the first problems with what to do. */
export function formatReport(report: VerificationReport): string {
  const { origin, size, checkpoint_at, checkpoints, lost_logs, problems, seconds } = report;
  const head =
    origin === null
      ? 'There is no consent log yet.'
      : `Log ${origin}: ${count(size, 'entry', 'entries')}, checkpoint of ${checkpoint_at}`;
  const compared = checkpoints.map(
    ({ name, size: at, consistent }) =>
      `Checkpoint ${name}${at === null ? '' : ` (${count(at, 'entry', 'entries')})`}: ${consistent ? 'consistent' : 'NOT CONSISTENT'}`,
  );
  const lost = lost_logs.map(
    ({ origin: name, size: had, replaced_at: at }) =>
      `The log ${name} (${count(had, 'entry', 'entries')}) was lost and replaced at ${at}`,
  );
  const shown = problems.slice(0, SHOWN);
  const hidden = problems.length - shown.length;
  return [
    head,
    ...lost,
    ...compared,
    ...formatCounts('Consent records', report.consent_records),
    ...formatCounts('Records of banner versions, runs and scans', report.log_records),
    '',
    ...shown.flatMap(({ message, advice }) => [message, `  ${advice}`]),
    ...(hidden > 0
      ? [`and ${count(hidden, 'more problem', 'more problems')}; --json prints all`]
      : []),
    problems.length === 0
      ? `No problems. Verified in ${seconds} s.${report.deep ? '' : ' Contents were not compared; --deep compares them.'}`
      : `${count(problems.length, 'problem')}. Verified in ${seconds} s.`,
  ].join('\n');
}

function formatCounts(subject: string, counts: VerificationReport['consent_records']): string[] {
  const found = Object.entries(STATES).filter(
    ([state]) => counts[state as keyof typeof STATES] > 0,
  );
  if (found.length === 0) return [`${subject}: none`];
  const parts = found.map(
    ([state, label]) => `${format(counts[state as keyof typeof STATES])} ${label}`,
  );
  return [`${subject}: ${parts.join(', ')}`];
}

const whole = new Intl.NumberFormat('en-GB');
const format = (value: number): string => whole.format(value);

const count = (value: number, one: string, many = `${one}s`): string =>
  `${format(value)} ${value === 1 ? one : many}`;
