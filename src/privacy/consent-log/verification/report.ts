import { toIsoMoment } from '../../../platform/clock.ts';
import type { ComparedCheckpoint } from './checkpoints.ts';
import type { ProblemState, RowFault, RowProblem } from './result.ts';
import type { VerificationProblem, VerificationReport } from './schemas.ts';
import type { Verification } from './verify.ts';

const SUBJECTS = { 1: 'consent_record', 2: 'log_record' } as const;

/** The result of a verification for people and for the API. */
export function toReport(
  verification: Verification,
  { isDeep, startedAt, seconds }: { isDeep: boolean; startedAt: number; seconds: number },
): VerificationReport {
  const { origin, size, signedAt, faults, checkpoints, givenUp, counts, problems } = verification;
  const all = [
    ...faults.map((fault) => describeLog(fault)),
    ...checkpoints.flatMap(describeCheckpoint),
    ...problems.map(describeRows),
  ];
  return {
    started_at: toIsoMoment(startedAt),
    seconds,
    deep: isDeep,
    ok: all.length === 0,
    origin: origin ?? null,
    size,
    checkpoint_at: signedAt === undefined ? null : toIsoMoment(signedAt),
    checkpoints: checkpoints.map(({ name, source, size: at, fault }) => ({
      name,
      source,
      size: at ?? null,
      consistent: fault === undefined,
    })),
    lost_logs: givenUp.map(({ origin: name, size: entries, at }) => ({
      origin: name,
      size: entries,
      replaced_at: at,
    })),
    consent_records: counts[1],
    log_records: counts[2],
    problem_count: all.length,
    problems: all,
  };
}

const NO_ROWS = { subject: null, first_id: null, last_id: null, count: 0 } as const;

const describeLog = (fault: string): VerificationProblem => ({
  kind: 'log',
  ...NO_ROWS,
  message: fault,
  advice:
    'Keep the log as it is, restore it from a copy made before the damage, and find out who has access to it.',
});

const describeCheckpoint = ({
  name,
  source,
  fault,
  isOfLostLog,
}: ComparedCheckpoint): VerificationProblem[] =>
  fault === undefined
    ? []
    : [
        {
          kind: 'checkpoint',
          ...NO_ROWS,
          message: `The log does not agree with the checkpoint ${name}: ${fault.replace(/\.$/, '')}.`,
          advice: isOfLostLog ? LOST : source === 'database' ? PUT_BACK : COMPARE,
        },
      ];

const COMPARE =
  'Check that the checkpoint is of this installation. If it is, the log was changed: keep both, and find out who has access to the secret.';
const LOST =
  'That log was lost and replaced, so there is nothing to compare the checkpoint with. Keep it: it shows whether a copy of that log is true. Compare this log with checkpoints from after it was begun.';
const PUT_BACK =
  'Put the newest copy of the log back. If there is none, "pavis log restart" starts a new one. Find out who has access to the log and to the database.';

function describeRows({
  state,
  source,
  first,
  last,
  what,
  name: subject,
}: RowProblem): VerificationProblem {
  const count = last - first + 1;
  const isOne = count === 1;
  const noun = `${source === 1 ? 'Consent record' : 'Log record'}${isOne ? '' : 's'}`;
  const isOutOfRange = what === 'id out of range';
  const name = subject
    ? subject
    : isOutOfRange
      ? `${count} ${noun.toLowerCase()}`
      : isOne
        ? `${noun} ${first}`
        : `${noun} ${first} to ${last}`;
  return {
    kind: state,
    subject: SUBJECTS[source],
    first_id: isOutOfRange ? null : first,
    last_id: isOutOfRange ? null : last,
    count,
    message: `${name} ${FAULTS[what](isOne)}`,
    advice: what === 'unreadable entry' ? PUT_BACK : ADVICE[state],
  };
}

const FAULTS: Record<RowFault, (isOne: boolean) => string> = {
  contents: (isOne) =>
    `${isOne ? 'does' : 'do'} not match the log: ${isOne ? 'it was' : 'they were'} changed after being logged.`,
  'anonymised without run': (isOne) =>
    `${isOne ? 'was' : 'were'} anonymised, but no logged run covers ${isOne ? 'it' : 'them'}.`,
  'deleted without run': (isOne) =>
    `${isOne ? 'is' : 'are'} missing: no logged run has deleted ${isOne ? 'it' : 'them'}.`,
  'unreadable entry': (isOne) =>
    `${isOne ? 'has an entry' : 'have entries'} that cannot be read: the log is damaged.`,
  'no entry': (isOne) => `${isOne ? 'has' : 'have'} no entry in the log.`,
  'id out of range': (isOne) =>
    `${isOne ? 'has an id' : 'have ids'} that Pavis does not give out, and no entry in the log.`,
  'banner text': () => 'does not match the log: it was changed or removed after being logged.',
  'banner picture': () => 'does not match the log: it was changed or removed after being logged.',
  'audit log': () => 'do not match the log: they were changed after being logged.',
  scan: () => 'does not match the log: it was changed after being logged.',
  'scan deleted': () => 'is missing: no logged run and no user of Pavis has deleted it.',
  facts: () => 'states something that Pavis does not write: it was added outside of Pavis.',
};

const ADVICE: Record<ProblemState, string> = {
  altered:
    'Compare with a backup from before the change, and find out who has access to the database.',
  missing: 'Restore from a backup, and find out who has access to the database.',
  unlogged:
    'If Pavis was not running, start it and verify again: it logs new records within seconds. Otherwise the log was truncated, or the row was not written by Pavis: verify against a checkpoint that you have kept.',
};
