import { listPersonRecords } from '../../personal-data/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { consentRecords } from './retention.ts';

const PURPOSE = 'visitor-token';

/** A consent that was recorded under a visitor id; moments in epoch milliseconds. */
interface RecordedConsent {
  visitorId: string;
  recordId: number;
  expiresAt: number;
}

/**
 * A token with which the browser that recorded a consent proves possession of the visitor id. Only for ids that cannot
 * be guessed: of others, anybody could be the first to record one.
 */
export const createVisitorToken = (
  { secret }: Pick<Platform, 'secret'>,
  { visitorId, recordId, expiresAt }: RecordedConsent,
): string => secret.seal(PURPOSE, JSON.stringify([visitorId, recordId, expiresAt]));

/**
 * Opens a token, also one that has expired. Its holder recorded a consent under the visitor id, but not necessarily the
 * first one.
 * @returns undefined for a token that we did not issue
 */
export function openVisitorToken(
  { secret }: Pick<Platform, 'secret'>,
  token: string,
): RecordedConsent | undefined {
  let sealed: string;
  try {
    sealed = secret.unseal(PURPOSE, token);
  } catch {
    return undefined;
  }
  const [visitorId, recordId, expiresAt] = JSON.parse(sealed) as [string, number, number];
  return { visitorId, recordId, expiresAt };
}

/**
 * The visitor id of which a token proves possession. Anybody can record a consent under any id, so only the token of
 * the first record counts: the browser that generated the id was the first to use it.
 * @returns undefined for a token that we did not issue, that has expired or that is of a later record
 */
export async function readVisitorToken(
  platform: Pick<Platform, 'secret' | 'datastore' | 'clock'>,
  token: string,
): Promise<string | undefined> {
  const opened = openVisitorToken(platform, token);
  if (!opened || opened.expiresAt <= platform.clock.now()) return undefined;
  const { visitorId, recordId } = opened;
  const { db } = platform.datastore;
  const first = { after: 0, limit: 1 };
  const [record] = await listPersonRecords(db, consentRecords, 'visitor_id', visitorId, first);
  return record === undefined || Number(record.id) >= recordId ? visitorId : undefined;
}
