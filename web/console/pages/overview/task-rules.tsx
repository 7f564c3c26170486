import type { ReactNode } from 'react';
import type { ConsentSettings, ConsentVersion, RefusedOrigin, Script } from '../../api/types.ts';
import { formatCount, joinNames } from '../../components/format.ts';
import { TextLink as Link } from '../../components/page.tsx';
import {
  getFirstLanguage,
  getLanguageName,
  listLanguages,
  listMissingTexts,
} from '../consent/banner-texts.ts';
import { listOutdatedTexts } from '../consent/outdated-texts.ts';
import type { Case, Mail } from '../requests/types.ts';

/** A task with a link to the page where it is done. */
export interface OpenTask {
  tone: 'bad' | 'warn';
  title: string;
  text: string;
  /** A link or a button. */
  action: ReactNode;
}

/** As the list of requests marks them. */
const SOON_DAYS = 7;

/** @param assignees those who may handle requests; undefined if unknown */
export function getRequestTasks(
  open: readonly Case[],
  assignees: readonly string[] | undefined,
): OpenTask[] {
  const late = open.filter(({ overdue }) => overdue);
  const due = open.filter(
    ({ overdue, paused_since, days_left }) =>
      !overdue && !paused_since && (days_left ?? Number.POSITIVE_INFINITY) <= SOON_DAYS,
  );
  const others = open.filter((each) => !late.includes(each) && !due.includes(each));
  const unassigned = others.filter(
    ({ verified_at, status, assignee, paused_since }) =>
      (verified_at !== null || status === 'in_progress') && !assignee && !paused_since,
  );
  const orphaned = others.filter(
    ({ assignee }) => assignee && assignees && !assignees.includes(assignee),
  );
  const former = joinNames([...new Set(orphaned.map(({ assignee }) => assignee ?? ''))]);
  const answer = (text: string, cases: readonly Case[], search: { overdue?: string }) => {
    const [only] = cases;
    return cases.length === 1 && only ? (
      <Link to="/requests/$id" params={{ id: String(only.id) }}>
        {text}
      </Link>
    ) : (
      <Link to="/requests" search={search}>
        {text}
      </Link>
    );
  };
  return [
    ...taskIf(late.length > 0, {
      tone: 'bad',
      title: `${formatCount(late.length, 'request')} past the deadline`,
      text: 'The time to respond has passed. Respond now.',
      action: answer('Respond', late, { overdue: '1' }),
    }),
    ...taskIf(due.length > 0, {
      tone: 'warn',
      title: `${formatCount(due.length, 'request')} due within a week`,
      text: 'Respond before the deadline.',
      action: answer('Respond', due, {}),
    }),
    ...taskIf(unassigned.length > 0, {
      tone: 'warn',
      title: formatCount(unassigned.length, 'unassigned request'),
      text: 'Respond, or assign it to a person.',
      action: answer('View', unassigned, {}),
    }),
    ...taskIf(orphaned.length > 0, {
      tone: 'warn',
      title: `${formatCount(orphaned.length, 'request')} assigned to former users`,
      text: `${former} can no longer handle requests. Choose another assignee.`,
      action: answer('View', orphaned, {}),
    }),
  ];
}

/** Emails about requests that could not be delivered: the requesters have not been informed. */
export function getEmailTasks(dead: readonly Mail[]): OpenTask[] {
  // The latest error of each request: several of its emails can fail.
  const errors = new Map<string, string>();
  for (const { about, kind, last_error } of dead) {
    const [, id] = /^dsar\/cases\/(\d+)$/.exec(about ?? '') ?? [];
    if (id !== undefined && !errors.has(id)) errors.set(id, last_error ?? kind);
  }
  return [...errors].map(([id, text]) => ({
    tone: 'bad',
    title: `Email about request ${id} not delivered`,
    text,
    action: (
      <Link to="/requests/$id" params={{ id }}>
        Resend
      </Link>
    ),
  }));
}

/** Sites whose visitors see no banner because their origin is not allowed. */
export function getOriginTasks(refused: readonly RefusedOrigin[]): OpenTask[] {
  const origins = refused.map(({ origin }) => origin);
  return taskIf(origins.length > 0, {
    tone: 'warn',
    title: `Requests from ${origins.length === 1 ? origins[0] : formatCount(origins.length, 'origin')} were refused`,
    text: `Pages there cannot show the banner or record consent${origins.length > 1 ? `: ${joinNames(origins)}` : ''}.`,
    action: <Link to="/banner/origins">Allow or dismiss</Link>,
  });
}

/** Banner texts that are missing or out of date, and scripts whose category the banner does not offer. */
export function getBannerTasks(
  consent: ConsentSettings,
  versions: readonly ConsentVersion[],
  scripts: readonly Script[],
): OpenTask[] {
  const asked = consent.categories.map(({ id }) => id);
  const stray = scripts.find(({ category }) => !asked.includes(category));
  const first = getLanguageName(getFirstLanguage(consent));
  const unreviewed = consent.translations.filter(({ needs_review }) => needs_review);
  return [
    ...taskIf(!consent.enabled, {
      tone: 'warn',
      title: 'The banner is off',
      text: 'Visitors are not asked for consent, and blocked resources stay blocked.',
      action: <Link to="/banner">Turn on</Link>,
    }),
    ...listLanguages(consent).flatMap((language) => {
      const missing = listMissingTexts(consent, language);
      const outdated = listOutdatedTexts(versions, language);
      const name = getLanguageName(language);
      const action = (text: string) => (
        <Link to="/banner" search={{ language }}>
          {text}
        </Link>
      );
      return [
        ...taskIf(missing.length > 0, {
          tone: 'warn',
          title: `${formatCount(missing.length, 'consent text')} missing in ${name}`,
          text: joinNames(missing),
          action: action('Translate'),
        }),
        ...taskIf(outdated.length > 0, {
          tone: 'warn',
          title: `${name} consent texts are out of date`,
          text: `Changed in ${first} after the translation: ${joinNames(outdated)}.`,
          action: action('Update'),
        }),
      ];
    }),
    ...taskIf(unreviewed.length > 0, {
      tone: 'warn',
      title: 'Machine-translated consent texts not reviewed',
      text: `Visitors see them. Review: ${joinNames(unreviewed.map(({ language }) => getLanguageName(language)))}.`,
      action: (
        <Link to="/banner" search={{ language: unreviewed[0]?.language ?? '' }}>
          Review
        </Link>
      ),
    }),
    ...taskIf(stray !== undefined, {
      tone: 'warn',
      title: `${stray?.label} is blocked for all visitors`,
      text: `The banner has no category “${stray?.category}”, so visitors cannot consent to it.`,
      action: (
        <Link to="/scripts/$id" params={{ id: String(stray?.id) }}>
          Change category
        </Link>
      ),
    }),
  ];
}

export const taskIf = (isOpen: boolean, task: OpenTask): OpenTask[] => (isOpen ? [task] : []);
