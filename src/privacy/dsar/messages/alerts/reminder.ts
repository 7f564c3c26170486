import { type RenderedMail, renderMail } from '../../../../mail/index.ts';
import { formatDay } from '../../../../platform/clock.ts';
import type { CaseStatus } from '../../rules.ts';
import type { Case } from '../../store.ts';
import { type AlertTexts, getAlertTexts } from './alert.ts';

type OpenStatus = Exclude<CaseStatus, 'completed' | 'rejected' | 'withdrawn'>;
interface Texts {
  statuses: Record<OpenStatus, string>;
  left: (days: number, reference: string) => string;
  overdue: (count: number) => string;
  fact: (type: string, status: string, day: string, assignee: string | null) => string;
}

const en: Texts = {
  statuses: { received: 'received', in_progress: 'in progress', on_hold: 'on hold' },
  left: (days, reference) => `${days} ${days === 1 ? 'day' : 'days'} left: ${reference}`,
  overdue: (count) =>
    count === 1 ? '1 privacy request is overdue' : `${count} privacy requests are overdue`,
  fact: (type, status, day, assignee) =>
    `${type}, ${status}, deadline ${day}, ${assignee === null ? 'unassigned' : `assigned to ${assignee}`}`,
};

const de: Texts = {
  statuses: { received: 'eingegangen', in_progress: 'in Bearbeitung', on_hold: 'angehalten' },
  left: (days, reference) => `Noch ${days} ${days === 1 ? 'Tag' : 'Tage'}: ${reference}`,
  overdue: (count) =>
    count === 1
      ? '1 Datenschutz-Anfrage ist überfällig'
      : `${count} Datenschutz-Anfragen sind überfällig`,
  fact: (type, status, day, assignee) =>
    `${type}, ${status}, Frist ${day}, ${assignee === null ? 'niemandem zugewiesen' : `zugewiesen: ${assignee}`}`,
};

/**
 * The email about a deadline that is near, or about overdue requests, without data about the persons.
 * @param daysLeft until the deadline of the only request; undefined for overdue requests
 * @param language of the site; English for any other than German
 * @param consoleUrl the list of requests
 */
export function renderReminder(
  cases: readonly Case[],
  {
    daysLeft,
    language,
    consoleUrl,
  }: { daysLeft?: number | undefined; language: string; consoleUrl: string },
): RenderedMail {
  const [{ types, open }, code]: [AlertTexts, string] = getAlertTexts(language);
  const texts = code === 'de' ? de : en;
  const [first] = cases;
  const isOne = cases.length === 1 && first !== undefined;
  const subject =
    isOne && daysLeft !== undefined
      ? texts.left(daysLeft, first.reference)
      : texts.overdue(cases.length);
  const facts = cases.map(
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
  const link = isOne ? `${consoleUrl}/${first.id}` : `${consoleUrl}?overdue=1`;
  return renderMail({ language: code, subject, parts: [{ facts }, { link, label: open }] });
}
