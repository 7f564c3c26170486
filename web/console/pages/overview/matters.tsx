import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type {
  ConsentSettings,
  ConsentVersion,
  RefusedOrigin,
  Scan,
  ScanResults,
  Script,
} from '../../api/types.ts';
import { formatCount } from '../../components/format.ts';
import { outdatedIn } from '../consent/changes.ts';
import { firstLanguage, languageName, languagesOf, missingIn } from '../consent/wording.ts';
import type { Case, Mail } from '../requests/types.ts';

/** Something that needs somebody, and the way to where it is mended. */
export interface Matter {
  tone: 'bad' | 'warn';
  title: string;
  text: string;
  action: ReactNode;
}

const SOON_MS = 7 * 86_400_000;

export function mattersOfRequests(open: readonly Case[]): Matter[] {
  const soon = new Date(Date.now() + SOON_MS).toISOString().slice(0, 10);
  const overdue = open.filter((each) => each.overdue);
  const due = open.filter((each) => !each.overdue && each.deadline <= soon);
  const answer = (cases: readonly Case[], search: { overdue?: string }) => {
    const [only] = cases;
    return cases.length === 1 && only ? (
      <Link to="/requests/$id" params={{ id: String(only.id) }}>
        Answer
      </Link>
    ) : (
      <Link to="/requests" search={search}>
        Answer
      </Link>
    );
  };
  return [
    ...matterIf(overdue.length > 0, {
      tone: 'bad',
      title: `${formatCount(overdue.length, 'request')} past the deadline`,
      text: 'The law gives a month; explain the delay and answer first of all.',
      action: answer(overdue, { overdue: '1' }),
    }),
    ...matterIf(due.length > 0, {
      tone: 'warn',
      title: `${formatCount(due.length, 'request')} due within a week`,
      text: 'People wait for an answer about their data.',
      action: answer(due, {}),
    }),
  ];
}

/** Mails about requests that were given up: those who asked do not know what became of it. */
export function mattersOfMails(dead: readonly Mail[]): Matter[] {
  return dead.flatMap(({ about, kind, last_error }) => {
    const [, id] = /^dsar\/cases\/(\d+)$/.exec(about ?? '') ?? [];
    return matterIf(id !== undefined, {
      tone: 'bad',
      title: `A mail about request ${id} could not be sent`,
      text: last_error ?? kind,
      action: (
        <Link to="/requests/$id" params={{ id: id ?? '' }}>
          Send it again
        </Link>
      ),
    });
  });
}

export function mattersOfScan(
  last: Scan,
  { open, vendors, unknown_hosts }: ScanResults,
  scripts: readonly Script[],
): Matter[] {
  const id = String(last.scan_id);
  const missing = vendors.filter(({ in_data_map }) => !in_data_map);
  const gatedSince = scripts.filter(
    ({ updated_at }) => last.completed_at !== null && updated_at > last.completed_at,
  );
  return [
    ...matterIf(open > 0, {
      tone: 'bad',
      title: formatCount(open, 'open finding'),
      text: 'They load before visitors consent. Block each one, classify it, or ignore it with a reason.',
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'findings', only: 'open' }}>
          Review findings
        </Link>
      ),
    }),
    ...matterIf(last.pages_failed > 0, {
      tone: 'warn',
      title: `${formatCount(last.pages_failed, 'page')} could not be looked at`,
      text: 'What they load and set is not known.',
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'pages' }}>
          See why
        </Link>
      ),
    }),
    ...matterIf(gatedSince.length > 0, {
      tone: 'warn',
      title: `${formatCount(gatedSince.length, 'script')} changed since the last scan`,
      text: 'A new scan shows whether each waits for consent now.',
      action: <Link to="/scanner">Scan again</Link>,
    }),
    ...matterIf(missing.length > 0, {
      tone: 'warn',
      title: `${formatCount(missing.length, 'vendor')} not in the data map`,
      text: namesOf(missing.map(({ name }) => name)),
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'vendors' }}>
          Add them
        </Link>
      ),
    }),
    ...matterIf(unknown_hosts.length > 0, {
      tone: 'warn',
      title: `${formatCount(unknown_hosts.length, 'host')} that nobody knows`,
      text: namesOf(unknown_hosts.map(({ host }) => host)),
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'unknown' }}>
          Name them
        </Link>
      ),
    }),
  ];
}

/** Sites whose visitors see no banner, most likely because nobody has allowed their origin yet. */
export function mattersOfOrigins(refused: readonly RefusedOrigin[]): Matter[] {
  const origins = refused.map(({ origin }) => origin);
  return matterIf(origins.length > 0, {
    tone: 'warn',
    title: `Requests from ${origins.length === 1 ? origins[0] : formatCount(origins.length, 'origin')} were refused`,
    text: `Pages there cannot show the banner or record consent${origins.length > 1 ? `: ${namesOf(origins)}` : ''}.`,
    action: <Link to="/banner/origins">Allow or dismiss</Link>,
  });
}

/** Texts that visitors cannot read, or that no longer say what is asked. */
export function mattersOfTexts(
  consent: ConsentSettings,
  versions: readonly ConsentVersion[],
  scripts: readonly Script[],
): Matter[] {
  const asked = consent.categories.map(({ id }) => id);
  const stray = scripts.find(({ category }) => !asked.includes(category));
  const first = languageName(firstLanguage(consent));
  return [
    ...matterIf(!consent.enabled, {
      tone: 'warn',
      title: 'The banner is off',
      text: 'Nobody is asked, and what waits for consent stays blocked.',
      action: <Link to="/banner">Turn it on</Link>,
    }),
    ...languagesOf(consent).flatMap((language) => {
      const missing = missingIn(consent, language);
      const outdated = outdatedIn(versions, language);
      const name = languageName(language);
      const action = (text: string) => (
        <Link to="/banner" search={{ language }}>
          {text}
        </Link>
      );
      return [
        ...matterIf(missing.length > 0, {
          tone: 'warn',
          title: `${formatCount(missing.length, 'consent text')} missing in ${name}`,
          text: namesOf(missing),
          action: action('Translate'),
        }),
        ...matterIf(outdated.length > 0, {
          tone: 'warn',
          title: `${name} consent texts have expired`,
          text: `Changed in ${first} since they were written: ${namesOf(outdated)}.`,
          action: action('Bring up to date'),
        }),
      ];
    }),
    ...matterIf(stray !== undefined, {
      tone: 'warn',
      title: `${stray?.label} waits for what nobody is asked`,
      text: `No category of the banner is called ${stray?.category}: it stays blocked for everybody.`,
      action: (
        <Link to="/scripts/$id" params={{ id: String(stray?.id) }}>
          Give it another
        </Link>
      ),
    }),
  ];
}

export const matterIf = (isSo: boolean, matter: Matter): Matter[] => (isSo ? [matter] : []);

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 4).join(', ');
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown;
}
