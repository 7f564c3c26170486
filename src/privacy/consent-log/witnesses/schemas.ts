import { type Static, Type } from 'typebox';
import { Moment, nullable } from '../../../platform/http/schemas.ts';

export const WitnessState = Type.Object(
  {
    name: Type.String({ description: 'The name in its verifier key.' }),
    url: Type.String(),
    key: Type.String({ description: 'Verifier key of the witness.' }),
    size: nullable(
      Type.Integer({
        description:
          'Number of entries of the last checkpoint of this log that it has cosigned; null if none.',
      }),
    ),
    cosigned_at: nullable(Moment('The time of that cosignature.')),
    error: nullable(
      Type.String({ description: 'Why the last request failed; null after a success.' }),
    ),
    error_at: nullable(Moment('When it failed.')),
    contradicts: Type.Boolean({
      description:
        'Whether the witness has cosigned entries that this log does not have: it was changed, shortened, or restored from a backup.',
    }),
  },
  { title: 'ConsentLogWitness' },
);
export type WitnessState = Static<typeof WitnessState>;
