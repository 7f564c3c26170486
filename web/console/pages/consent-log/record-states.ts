import type { LogVerification } from '../../api/types.ts';
import type { Tone } from '../../components/badges.tsx';

export type Report = NonNullable<LogVerification['report']>;
export type RowState = keyof Report['consent_records'];

interface StateText {
  label: string;
  tone: Tone;
  meaning: string;
}

/** The states of records in a verification, problems first. */
export const STATES: Record<RowState, StateText> = {
  altered: {
    label: 'Altered',
    tone: 'bad',
    meaning: 'Other content than was logged, or anonymised without a logged run.',
  },
  missing: {
    label: 'Missing',
    tone: 'bad',
    meaning: 'Logged, no longer there, and no logged run deleted them.',
  },
  unlogged: {
    label: 'Unlogged',
    tone: 'bad',
    meaning: 'Without an entry, and not waiting for one.',
  },
  intact: { label: 'Intact', tone: 'good', meaning: 'Exactly as they were logged.' },
  present: { label: 'Present', tone: 'good', meaning: 'There. Contents were not compared.' },
  earlier: {
    label: 'From before the log',
    tone: 'info',
    meaning: 'They were there when the log began. Nothing more is proven about the time before.',
  },
  anonymised: {
    label: 'Anonymised',
    tone: 'neutral',
    meaning: 'Their personal data was removed by a logged run.',
  },
  deleted: { label: 'Deleted', tone: 'neutral', meaning: 'Deleted by a logged run.' },
  lost: {
    label: 'Lost in a restore',
    tone: 'warn',
    meaning: 'Lost when the database was restored from a backup. The restore is logged.',
  },
  pending: {
    label: 'Not logged yet',
    tone: 'neutral',
    meaning: 'Recorded in the last minute. They get their entry within seconds.',
  },
};

export const STATE_NAMES = Object.keys(STATES) as RowState[];
