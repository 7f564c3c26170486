import { toIsoMoment } from '../../../platform/clock.ts';
import type { Trx } from '../../../platform/db/index.ts';
import type { FactsKind } from '../entries/kinds.ts';
import { type JsonValue, toCanonicalJson } from './canonical-json.ts';

/** Facts without personal data, which the log commits to as they are. */
export interface LogRecord {
  kind: FactsKind;
  facts: { readonly [name: string]: JsonValue | undefined };
  /** Epoch milliseconds; becomes the member `created_at`. */
  at: number;
}

/** Adds facts to the consent log, in the transaction that they are about. */
export async function recordInLog(trx: Trx, { kind, facts, at }: LogRecord): Promise<void> {
  const text = toCanonicalJson({ ...facts, created_at: toIsoMoment(at) });
  await trx
    .insertInto('consent_log_records')
    .values({ kind, facts: text, created_at: at })
    .execute();
}
