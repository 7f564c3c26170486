import { type Static, Type } from 'typebox';
import { describeResponse, nullable, OneOf } from '../../../platform/http/schemas.ts';

export const RecordState = describeResponse(
  'A consent record, compared with its entry in the consent log.',
  {
    id: Type.Integer(),
    state: OneOf(['intact', 'earlier', 'anonymised', 'altered', 'pending', 'unlogged'], {
      description:
        '`intact`: unchanged since it was logged. `earlier`: from before the log, unchanged since the log began. `anonymised`: its facts are unchanged, and the other columns have nothing but what anonymising leaves; a verification of the log checks that a logged run did it. `altered`: other content than was logged. `pending`: recorded in the last minute and not logged yet. `unlogged`: older, without an entry.',
    }),
    index: nullable(Type.Integer({ description: 'Index of its entry; the first entry has 0.' })),
    size: Type.Integer({ description: 'Number of entries of the log.' }),
  },
  { id: 4_812, state: 'intact', index: 4_830, size: 1_204_311 },
  'ConsentRecordState',
);
export type RecordState = Static<typeof RecordState>;

export const RecordProof = Type.String({
  contentMediaType: 'text/plain',
  description:
    'A proof (C2SP tlog-proof) that the entry of the record is in the log, with the entry as its extra data. It contains no personal data.',
});
