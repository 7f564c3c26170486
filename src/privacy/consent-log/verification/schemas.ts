import { type Static, Type } from 'typebox';
import { describeResponse, Moment, nullable } from '../../../platform/http/schemas.ts';
import { REPLACED_LOG } from '../lost-log/schemas.ts';
import { STATES } from './result.ts';

const MOMENT = '2026-11-21T09:30:00.000Z';

const DESCRIPTIONS: Record<(typeof STATES)[number], string> = {
  intact: 'Unchanged since they were logged.',
  present: 'There, without a comparison of their contents.',
  earlier: 'From before the log: unchanged since the log began, if contents were compared.',
  anonymised:
    'Anonymised by a logged run. The facts are unchanged. If contents were compared, the other columns have nothing but what anonymising leaves.',
  deleted: 'Deleted by a logged run.',
  lost: 'Lost when the database was restored from a backup, which is logged.',
  pending: 'Recorded in the last minute and not logged yet.',
  altered: 'Changed after they were logged, or anonymised without a logged run.',
  missing: 'Logged, and removed without a logged run.',
  unlogged: 'Without an entry in the log.',
};

const Counts = (subject: string) =>
  Type.Object(
    Object.fromEntries(
      STATES.map((state) => [state, Type.Integer({ description: DESCRIPTIONS[state] })]),
    ) as Record<(typeof STATES)[number], ReturnType<typeof Type.Integer>>,
    { description: subject },
  );

const Problem = Type.Object(
  {
    kind: Type.Enum(['log', 'checkpoint', 'altered', 'missing', 'unlogged']),
    subject: nullable(
      Type.Enum(['consent_record', 'log_record'], {
        description:
          'A log record states facts, for example about a banner version or a retention run.',
      }),
    ),
    first_id: nullable(Type.Integer()),
    last_id: nullable(Type.Integer({ description: 'Of successive rows with the same problem.' })),
    count: Type.Integer({ description: 'Number of rows.' }),
    message: Type.String(),
    advice: Type.String({ description: 'What to do.' }),
  },
  { title: 'VerificationProblem' },
);
export type VerificationProblem = Static<typeof Problem>;

const COUNTS = Object.fromEntries(STATES.map((state) => [state, 0]));

export const VerificationReport = describeResponse(
  'The result of a verification of the consent log.',
  {
    started_at: Moment('When the verification started.'),
    seconds: Type.Number({ description: 'How long it took.' }),
    deep: Type.Boolean({ description: 'Whether the contents of each record were compared.' }),
    ok: Type.Boolean({ description: 'Whether there is no problem.' }),
    origin: nullable(Type.String({ description: 'The name of the log; null if there is none.' })),
    size: Type.Integer({ description: 'Number of entries.' }),
    checkpoint_at: nullable(Moment('When the checkpoint was signed.')),
    checkpoints: Type.Array(
      Type.Object({
        name: Type.String(),
        source: Type.Enum(['file', 'witness', 'database'], {
          description:
            'Who has kept it: a person, a witness (of its last one there is a copy beside the log), or the main database.',
        }),
        size: nullable(Type.Integer()),
        consistent: Type.Boolean({ description: 'Whether the log begins with its entries.' }),
      }),
      { description: 'Checkpoints with which the log was compared, besides its own.' },
    ),
    lost_logs: Type.Array(Type.Object(REPLACED_LOG), {
      description:
        'Logs that were lost and replaced with `pavis log restart`. Of records from before, it is proven only that they were there then.',
    }),
    consent_records: Counts('Consent records by their state.'),
    log_records: Counts('Records of facts by their state.'),
    problem_count: Type.Integer(),
    problems: Type.Array(Problem),
  },
  {
    started_at: MOMENT,
    seconds: 9.4,
    deep: true,
    ok: true,
    origin: 'www.example.com/pavis-consent',
    size: 1_204_311,
    checkpoint_at: MOMENT,
    checkpoints: [],
    lost_logs: [],
    consent_records: { ...COUNTS, intact: 1_204_290 },
    log_records: { ...COUNTS, intact: 21 },
    problem_count: 0,
    problems: [],
  },
  'VerificationReport',
);
export type VerificationReport = Static<typeof VerificationReport>;
