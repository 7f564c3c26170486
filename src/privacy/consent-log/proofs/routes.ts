import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DomainError, NotFoundError } from '../../../platform/errors.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { LOG_DAMAGED } from '../log/damage.ts';
import type { ConsentLog } from '../log/open.ts';
import { compareRecord } from '../verification/record.ts';
import { RecordProof, RecordState } from './schemas.ts';
import { findRecordProof } from './service.ts';

/** A consent record in the log: `/consent/records/{id}/log-state` and `/consent/records/{id}/proof`. */
export function proofRoutes(
  api: RestApi,
  platform: Platform,
  { log, declaration }: { log: ConsentLog; declaration: PersonalDataDeclaration },
): void {
  const { db } = platform.datastore;
  const compare = async (id: number) => {
    const compared = await compareRecord(platform, log, declaration, id);
    if (!compared) throw new NotFoundError(`Consent record ${id}`);
    return compared;
  };

  api.add({
    method: 'GET',
    path: '/consent/records/{id}/log-state',
    summary: 'Compare a consent record with the consent log',
    answers: { 200: RecordState },
    refusals: { 503: LOG_DAMAGED },
    async handle({ id }) {
      const { state, index = null, size } = await compare(id);
      return { body: { id, state, index, size } };
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/records/{id}/proof',
    summary: 'Get the proof that a consent record is in the consent log',
    answers: { 200: RecordProof },
    refusals: {
      409: {
        record_not_logged:
          'Consent record 5 has no entry in the consent log yet. A new record gets one within seconds.',
      },
      503: LOG_DAMAGED,
    },
    async handle({ id }) {
      // Also of a record that was deleted: its entry stays.
      const proof = await findRecordProof(db, log, id);
      if (!proof) {
        await compare(id);
        throw new DomainError(
          'conflict',
          'record_not_logged',
          `Consent record ${id} has no entry in the consent log yet. A new record gets one within seconds. If it stays like this, GET /consent/log says why.`,
        );
      }
      return {
        raw: { contentType: 'text/plain; charset=utf-8', text: proof.text },
        headers: {
          'content-disposition': `attachment; filename="consent-record-${id}.tlog-proof"`,
        },
      };
    },
  });
}
