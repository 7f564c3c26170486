import { Type } from 'typebox';
import { isRecent, toIsoMoment, toIsoMomentOrNull } from '../../../../platform/clock.ts';
import { Moment, nullable, OneOf } from '../../../../platform/http/schemas.ts';
import { VerificationReport } from '../schemas.ts';
import type { VerificationRow } from './store.ts';

/** The maximum of a report. The command line prints all problems. */
export const PROBLEMS_KEPT = 100;
/** Older ones are deleted. */
export const VERIFICATIONS_KEPT = 10;

/** Time without news from the node that runs a verification after which it counts as interrupted. */
export const SILENCE_MS = 15_000;

export const VerificationArgs = Type.Object(
  {
    deep: Type.Boolean({
      default: false,
      description:
        'Whether to compare the contents of each record with the log, and not only which records there are.',
    }),
  },
  { title: 'ConsentLogVerificationRequest' },
);

export const LogVerification = Type.Object(
  {
    id: Type.Integer(),
    deep: Type.Boolean({ description: 'Whether the contents of each record are compared.' }),
    status: OneOf(['running', 'completed', 'failed', 'interrupted'], {
      description:
        '`completed`: see `report`, which may list problems. `failed`: see `error`. `interrupted`: the server stopped before the end.',
    }),
    started_at: Moment('When it started.'),
    finished_at: nullable(Moment('When it was completed or failed.')),
    done: Type.Integer({ description: 'Number of entries and records that were checked.' }),
    total: Type.Integer({
      description: 'Number of entries and records to check; 0 until they are counted.',
    }),
    error: nullable(Type.String({ description: 'Why it failed.' })),
    report: nullable(VerificationReport),
  },
  {
    title: 'ConsentLogVerification',
    description: `A verification of the consent log. Its report lists the first ${PROBLEMS_KEPT} problems and has the number of all; \`pavis log verify --json\` lists all.`,
  },
);

export function toLogVerification(row: VerificationRow, now: number) {
  const { id, deep, started_at, last_seen_at, finished_at, done, total, error, report } = row;
  const unfinished = isRecent(last_seen_at, SILENCE_MS, now) ? 'running' : 'interrupted';
  const finished = error === null ? 'completed' : 'failed';
  return {
    id,
    deep: deep === 1,
    status: finished_at === null ? unfinished : finished,
    started_at: toIsoMoment(started_at),
    finished_at: toIsoMomentOrNull(finished_at),
    done,
    total,
    error,
    report: report === null ? null : JSON.parse(report),
  };
}
