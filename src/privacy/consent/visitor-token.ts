import type { Platform } from '../../platform/deps.ts';
import { findFirstConsents } from './store.ts';

const PURPOSE = 'visitor-token';

/** The first consent that was recorded under a visitor id; moments in epoch milliseconds. */
interface RecordedConsent {
  visitorId: string;
  recordId: number;
  expiresAt: number;
}

/**
 * A token with which the browser that recorded the first consent under a visitor id proves possession of it. Only for ids
 * that cannot be guessed: of others, anybody could be the first to record one.
 */
export const createVisitorToken = (
  { secret }: Pick<Platform, 'secret'>,
  { visitorId, recordId, expiresAt }: RecordedConsent,
): string => secret.seal(PURPOSE, JSON.stringify([visitorId, recordId, expiresAt]));

/**
 * Opens a token, also one that has expired. Of those that earlier versions issued, the holder did not necessarily record
 * the first consent under the visitor id.
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
 * the first record counts: the browser that generated the id was the first to use it. Once the first record is
 * anonymised, nothing tells that a later one was not the first, so a token of a later record is not issued. If no record
 * of the id is left, the client that records the next one counts as the first.
 * @returns undefined for a token that we did not issue, that has expired or that is of a later record
 */
export async function readVisitorToken(
  platform: Pick<Platform, 'secret' | 'datastore' | 'clock'>,
  token: string,
): Promise<string | undefined> {
  const opened = openVisitorToken(platform, token);
  if (!opened || opened.expiresAt <= platform.clock.now()) return undefined;
  const { visitorId, recordId } = opened;
  const firstIds = await findFirstConsents(platform.datastore.db, [visitorId]);
  return (firstIds.get(visitorId) ?? recordId) < recordId ? undefined : visitorId;
}
