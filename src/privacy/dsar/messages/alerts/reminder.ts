import { type RenderedMail, renderMail } from '../../../../mail/index.ts';
import { formatDay } from '../../../../platform/clock.ts';
import type { CaseStatus } from '../../rules.ts';
import type { Case } from '../../store.ts';
import { type AlertTexts, getAlertTexts, MOST_LISTED } from './alert.ts';

type OpenStatus = Exclude<CaseStatus, 'completed' | 'rejected' | 'withdrawn'>;
interface Texts {
  statuses: Record<OpenStatus, string>;
  left: (days: number, reference: string) => string;
  due: (count: number, days: number) => string;
  overdue: (count: number) => string;
  fact: (type: string, status: string, day: string, assignee: string | null) => string;
}

const en: Texts = {
  statuses: { received: 'received', in_progress: 'in progress', on_hold: 'on hold' },
  left: (days, reference) => `${days} ${days === 1 ? 'day' : 'days'} left: ${reference}`,
  due: (count, days) =>
    `${count} privacy requests are due within ${days} ${days === 1 ? 'day' : 'days'}`,
  overdue: (count) =>
    count === 1 ? '1 privacy request is overdue' : `${count} privacy requests are overdue`,
  fact: (type, status, day, assignee) =>
    `${type}, ${status}, deadline ${day}, ${assignee === null ? 'unassigned' : `assigned to ${assignee}`}`,
};

const de: Texts = {
  statuses: { received: 'eingegangen', in_progress: 'in Bearbeitung', on_hold: 'angehalten' },
  left: (days, reference) => `Noch ${days} ${days === 1 ? 'Tag' : 'Tage'}: ${reference}`,
  due: (count, days) =>
    `${count} Datenschutz-Anfragen sind innerhalb von ${days} ${days === 1 ? 'Tag' : 'Tagen'} fällig`,
  overdue: (count) =>
    count === 1
      ? '1 Datenschutz-Anfrage ist überfällig'
      : `${count} Datenschutz-Anfragen sind überfällig`,
  fact: (type, status, day, assignee) =>
    `${type}, ${status}, Frist ${day}, ${assignee === null ? 'niemandem zugewiesen' : `zugewiesen: ${assignee}`}`,
};

/**
 * The email about deadlines that are near, or about overdue requests, without data about the persons.
 * @param days until the deadline of the only request, or within which several are due; undefined for overdue requests
 * @param language of the site; English for any other than German
 * @param consoleUrl the list of requests
 */
export function renderReminder(
  cases: readonly Case[],
  {
    days,
    language,
    consoleUrl,
  }: { days?: number | undefined; language: string; consoleUrl: string },
): RenderedMail {
  const [{ types, open, more }, code]: [AlertTexts, string] = getAlertTexts(language);
  const texts = code === 'de' ? de : en;
  const listed = cases.slice(0, MOST_LISTED);
  const [first] = listed;
  const isOne = cases.length === 1 && first !== undefined;
  const subjectOfDue = (within: number) =>
    isOne ? texts.left(within, first.reference) : texts.due(cases.length, within);
  const facts = listed.map(
    ({ reference, requestType, status, deadline, assignee }) =>
      [
        reference,
        texts.fact(
          types[requestType],
          texts.statuses[status as OpenStatus],
          formatDay(code, deadline),
          assignee,
        ),
      ] as const,
  );
  const listUrl = days === undefined ? `${consoleUrl}?overdue=1` : consoleUrl;
  return renderMail({
    language: code,
    subject: days === undefined ? texts.overdue(cases.length) : subjectOfDue(days),
    parts: [
      { facts },
      ...(cases.length > listed.length ? [more(cases.length - listed.length)] : []),
      { link: isOne ? `${consoleUrl}/${first.id}` : listUrl, label: open },
    ],
  });
}
