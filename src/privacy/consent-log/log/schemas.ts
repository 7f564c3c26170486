import { type Static, Type } from 'typebox';
import { describeResponse, Moment, nullable } from '../../../platform/http/schemas.ts';
import { LogLoss, LostLog, Restore } from '../lost-log/schemas.ts';
import { WitnessState } from '../witnesses/schemas.ts';

const MOMENT = '2026-11-21T09:30:00.000Z';

export const ConsentLogState = describeResponse(
  'The consent log. It holds a hash of each consent choice, and nothing else about it.',
  {
    origin: Type.String({ description: 'The name of the log and of its key.' }),
    verifier_key: Type.String({
      description: 'The public key with which checkpoints are verified, as in C2SP signed-note.',
    }),
    size: Type.Integer({ description: 'Number of entries.' }),
    root: nullable(Type.String({ description: 'Root hash (RFC 6962), in Base64.' })),
    checkpoint_at: nullable(Moment('When the checkpoint was signed.')),
    not_logged: Type.Integer({
      description:
        'Number of rows without an entry. Usually those of the last second; they are logged in the background.',
    }),
    not_logged_since: nullable(Moment('The time of the oldest of them.')),
    last_error: nullable(
      Type.Object(
        {
          at: Moment('When it occurred last.'),
          message: Type.String(),
        },
        {
          title: 'ConsentLogError',
          description:
            'Why this node cannot write the log at present. Consent choices are recorded, and logged once the problem is solved.',
        },
      ),
    ),
    loss: nullable(LogLoss),
    lost_logs: Type.Array(LostLog, {
      description:
        'Logs that were lost and replaced with `pavis log restart`, newest first. Of records from before, it is proven only that they were there then.',
    }),
    restores: Type.Array(Restore, {
      description:
        'Restores of the database from a backup that lost logged records, newest first. Always empty on PostgreSQL, where the log is restored with the database.',
    }),
    witnesses: Type.Array(WitnessState, {
      description: 'The witnesses of the settings, with their last cosignatures and errors.',
    }),
    cosigned_checkpoint: nullable(
      Type.String({
        description:
          'The newest checkpoint that a witness has cosigned, as a signed note with its cosignatures.',
      }),
    ),
    public: Type.Boolean({
      description: 'Whether everyone may read the checkpoint, hashes and entries.',
    }),
  },
  {
    origin: 'www.example.com/pavis-consent',
    verifier_key:
      'www.example.com/pavis-consent+6c2bc4d8+AZ8Zk0nmFYcZ5M4LJRwUQ3mBzTPmMDkVJqWb4NVHPiHx',
    size: 1_204_311,
    root: 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
    checkpoint_at: MOMENT,
    not_logged: 0,
    not_logged_since: null,
    last_error: null,
    loss: null,
    lost_logs: [],
    restores: [],
    witnesses: [],
    cosigned_checkpoint: null,
    public: false,
  },
  'ConsentLogState',
);
export type ConsentLogState = Static<typeof ConsentLogState>;

export const Checkpoint = Type.String({
  contentMediaType: 'text/plain',
  description: 'A checkpoint (C2SP tlog-checkpoint) in a signed note.',
});

export const Tile = Type.String({
  contentMediaType: 'application/octet-stream',
  description:
    'Hashes of 32 bytes, or entries with their length in two bytes before each (C2SP tlog-tiles).',
});
