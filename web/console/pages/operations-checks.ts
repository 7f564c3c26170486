import type { Tone } from '../components/badges.tsx';
import {
  formatCount,
  formatMoment,
  formatNumber,
  formatSize,
  toLabel,
} from '../components/format.ts';
import type { Operations } from './system-queries.ts';

export const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
const ALERTS = {
  disk_low: 'Almost full: free some space or enlarge the disk',
  disk_filling: 'Full within a week at the current rate',
  database_large: 'The database has reached PAVIS_DATABASE_WARN_MB',
} as const;

/** The operation of the API that sends an email again. */
const RETRY_EMAIL = { href: '/docs/plugin/mail#postMailItemRetry', label: 'API documentation' };

interface Check {
  name: string;
  tone: Tone;
  status: string;
  text: string;
  /** More in the documentation. */
  link?: { href: string; label: string };
}

const WEIGHTS: Partial<Record<Tone, number>> = { bad: 2, warn: 1 };
const getWeight = ({ tone }: Check): number => WEIGHTS[tone] ?? 0;

/** The state of each part of the server, with what to do about a problem. Problems come first. */
export const getChecks = (operations: Operations): Check[] =>
  listChecks(operations).toSorted((a, b) => getWeight(b) - getWeight(a));

function listChecks(operations: Operations): Check[] {
  const { database, disk, mail, jobs, queues, backup } = operations;
  const good = { tone: 'good', status: 'OK' } as const;
  const late = jobs.filter(
    ({ is_running, next_run_at }) =>
      !is_running && Date.parse(next_run_at) < Date.now() - LATE_AFTER_MS,
  );
  const failed = jobs.filter(({ last_result }) => last_result === 'failed');
  const stuck = queues.filter((queue) => queue.failed > 0);
  return [
    {
      name: 'Database',
      ...(database.fault ? { tone: 'bad', status: 'Fault' } : good),
      text: database.fault
        ? toLabel(database.fault)
        : `${ENGINES[database.engine]}, read and write`,
    },
    {
      name: 'Disk',
      ...(disk.alerts.length > 0 ? { tone: 'bad', status: 'Alert' } : good),
      text:
        disk.alerts.map((alert) => ALERTS[alert]).join('; ') ||
        `${formatSize(disk.free_bytes)} free`,
    },
    {
      name: 'Background jobs',
      ...(failed.length > 0
        ? { tone: 'bad', status: 'Failed' }
        : late.length > 0
          ? { tone: 'warn', status: 'Late' }
          : good),
      text:
        failed.length > 0
          ? `Retried after 15 minutes, the log has the reason: ${listNames(failed)}`
          : late.length > 0
            ? `Not run on time: ${listNames(late)}`
            : `${formatCount(jobs.length, 'job')}, none late`,
    },
    {
      name: 'Queues',
      ...(stuck.length > 0 ? { tone: 'bad', status: 'Failed' } : good),
      text: queues
        .map(({ name, waiting, failed: lost }) =>
          [
            `${toLabel(name)}: ${formatNumber(waiting)} waiting`,
            ...(lost > 0 ? [`${formatNumber(lost)} failed, retry or skip them`] : []),
          ].join(', '),
        )
        .join('; '),
    },
    { name: 'Banner pictures', ...checkPictures(operations.banner_pictures) },
    {
      name: 'Email',
      ...(mail.failed > 0
        ? { tone: 'bad', status: 'Failed' }
        : mail.is_sent
          ? good
          : { tone: 'warn', status: 'Not sent' }),
      text: !mail.is_sent
        ? 'No mail server: emails are written to the data folder. Set PAVIS_SMTP_URL.'
        : mail.failed > 0
          ? `${formatCount(mail.failed, 'email')} not delivered. Those about requests can be sent again on the page of the request; for others, see the`
          : `${formatNumber(mail.waiting)} in the queue`,
      ...(mail.is_sent && mail.failed > 0 && { link: RETRY_EMAIL }),
    },
    { name: 'Backups', ...checkBackups(database.engine, backup.last_at) },
  ];
}

const LATE_AFTER_MS = 10 * 60_000;
const BACKUP_OLD_AFTER_MS = 7 * 86_400_000;

const listNames = (jobs: Operations['jobs']): string =>
  jobs.map(({ name }) => getJobLabel(name)).join(', ');

/** Labels of jobs whose names need an explanation. */
const JOB_LABELS: Record<string, string> = {
  audit_heads: 'Audit logs in the consent log',
  consent_subjects: 'Expired choices on several devices',
  licence: 'Site licence check',
  licences: 'Licence reminders',
};
export const getJobLabel = (name: string): string => JOB_LABELS[name] ?? toLabel(name);

function checkBackups(
  engine: Operations['database']['engine'],
  last: string | null,
): Omit<Check, 'name'> {
  if (engine === 'postgres') {
    const text = 'Back up PostgreSQL with its own tools, and keep PAVIS_SECRET.';
    return { tone: 'neutral', status: 'Not monitored', text };
  }
  const advice = 'Run pavis backup regularly, and copy the file "secret" of the data folder.';
  if (last === null) return { tone: 'warn', status: 'None', text: advice };
  if (Date.parse(last) < Date.now() - BACKUP_OLD_AFTER_MS)
    return { tone: 'warn', status: 'Old', text: `Last backup: ${formatMoment(last)}. ${advice}` };
  return { tone: 'good', status: 'OK', text: `Last backup: ${formatMoment(last)}` };
}

function checkPictures({
  waiting_versions: waiting,
  without_browser_at: withoutBrowser,
}: Operations['banner_pictures']): Omit<Check, 'name'> {
  const good = { tone: 'good', status: 'OK' } as const;
  if (waiting === 0) return { ...good, text: 'None missing' };
  const versions = formatCount(waiting, 'version');
  return withoutBrowser === null
    ? { ...good, text: `To be taken within a few minutes: ${versions}` }
    : {
        tone: 'warn',
        status: 'No browser',
        text: `Not taken, because no browser starts: ${versions}. Run pavis doctor.`,
      };
}
