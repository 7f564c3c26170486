import { type Static, Type } from 'typebox';
import { Moment } from '../../../platform/http/schemas.ts';

export const LogLoss = Type.Object(
  {
    message: Type.String({ description: 'What is wrong.' }),
    advice: Type.String({ description: 'What to do.' }),
  },
  {
    title: 'ConsentLogLoss',
    description:
      'The log does not begin with the entries that the database has noted, or an entry was changed. It is not written until the log is back or replaced. Consent choices are recorded all the same.',
  },
);
export type LogLoss = Static<typeof LogLoss>;

/** What is known of a log that was given up. */
export const REPLACED_LOG = {
  origin: Type.String({ description: 'The name of the log.' }),
  size: Type.Integer({ description: 'Number of its entries, as far as is known.' }),
  replaced_at: Moment(
    'When the log that followed it was started, or when this was stated again after a restore of the database from before.',
  ),
};

export const LostLog = Type.Object(
  {
    ...REPLACED_LOG,
    verifier_key: Type.String({
      description: 'Its public key, with which receipts of the lost log are verified.',
    }),
  },
  { title: 'LostConsentLog' },
);

export const Restore = Type.Object(
  {
    restored_at: Moment('When the server recognised the restore.'),
    consent_records: Type.Integer({ description: 'Number of consent records that were lost.' }),
    log_records: Type.Integer({
      description: 'Number of other logged records that were lost, for example of banner versions.',
    }),
  },
  { title: 'DatabaseRestore' },
);

/** What was lost, as the log states it. */
export interface PastLosses {
  lost_logs: Static<typeof LostLog>[];
  restores: Static<typeof Restore>[];
}
