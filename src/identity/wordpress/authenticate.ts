import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Platform } from '../../platform/deps.ts';
import { ApiError } from '../../platform/errors.ts';
import { currentClient } from '../../platform/http/request-client.ts';
import type { Authenticate, Caller } from '../../platform/rest/caller.ts';
import { identityKey, readBasic } from '../users/index.ts';
import { fetchWordPressUser, type WordPress, type WordPressResult } from './ask.ts';
import { GuessLimits } from './guess-limits.ts';
import { toUser } from './person.ts';

const GRANTED_FOR_MS = 60_000;
const DENIED_FOR_MS = 10_000;
/** What is wrong again and again is asked about ever more rarely. */
const DENIED_AT_MOST_FOR_MS = 5 * 60_000;
const VERDICTS_KEPT = 1_000;

const NOBODY: Caller = { user: null, badNonce: false };

interface Known {
  caller: Caller;
  until: number;
  heldMs: number;
}

/**
 * Lets WordPress authenticate callers who are not our own users, except on public routes. Grants are kept for a
 * minute, denials for ten seconds and longer each time, so a user who loses their rights there loses them
 * here. Beyond `GuessLimits` WordPress is asked only about credentials that it has let in before.
 * @returns a function that throws ApiError 503 `service_unavailable` when no verdict can be had
 */
export function withWordPress(
  own: Authenticate,
  wordPress: WordPress,
  platform: Platform,
): Authenticate {
  const { secret, clock, log } = platform;
  const limits = new GuessLimits(platform);
  // Apart, so that no number of wrong credentials pushes the right ones out.
  const granted = new LRUCache<string, Known>({ max: VERDICTS_KEPT });
  const denied = new LRUCache<string, Known>({ max: VERDICTS_KEPT });
  const underway = new Map<string, Promise<Caller>>();

  async function authenticate(key: string, credentials: Credentials): Promise<Caller> {
    const client = currentClient();
    const guess = { login: loginOf(credentials), address: client?.address ?? 'unknown' };
    const takeBack = granted.has(key) ? () => {} : limits.count(guess);
    try {
      if (!takeBack) return { ...NOBODY, hasTooManyFailures: true };
      const verdict = await fetchWordPressUser(wordPress, credentials, client?.ip);
      const isWrong = verdict.outcome === 'nobody' || verdict.outcome === 'bad nonce';
      if (!isWrong) takeBack();
      const caller = toCaller(verdict);
      const now = clock.monotonic();
      const heldMs = isWrong ? nextDenialMs(denied.get(key), now) : holdMs(verdict);
      const [into, outOf] = isWrong ? [denied, granted] : [granted, denied];
      into.set(key, { caller, heldMs, until: now + heldMs });
      outOf.delete(key);
      return caller;
    } catch (err) {
      takeBack?.();
      log.warn({ err }, 'WordPress could not authenticate a caller');
      const message =
        'The WordPress site at PAVIS_WORDPRESS_URL does not respond. Try again in a moment.';
      throw new ApiError(503, 'service_unavailable', message);
    }
  }

  async function verdictOn(key: string, credentials: Credentials): Promise<Caller> {
    const verdict = granted.get(key) ?? denied.get(key);
    if (verdict && verdict.until > clock.monotonic()) return verdict.caller;
    const before = underway.get(key);
    if (before) return before;
    const asked = authenticate(key, credentials).finally(() => underway.delete(key));
    underway.set(key, asked);
    return asked;
  }

  return async (request) => {
    const known = await own(request);
    const credentials = request.needsUser && credentialsOf(request.headers, request.nonce);
    if (known.user || !credentials) return known;
    const key = secret.hash('wordpress', JSON.stringify(credentials));
    const caller = await verdictOn(key, credentials);
    return caller.user || caller.badNonce ? caller : { ...known, ...caller };
  };
}

type Credentials = Record<string, string>;

const holdMs = ({ outcome }: WordPressResult): number =>
  outcome === 'administrator' ? GRANTED_FOR_MS : DENIED_FOR_MS;

/** Twice as long as the last time, if that was just now. */
function nextDenialMs(before: Known | undefined, now: number): number {
  const isRepeated = before !== undefined && now <= before.until + before.heldMs;
  return isRepeated ? Math.min(before.heldMs * 2, DENIED_AT_MOST_FOR_MS) : DENIED_FOR_MS;
}

function toCaller({ outcome, nonce, person }: WordPressResult): Caller {
  const isKnown = outcome === 'administrator' || outcome === 'user';
  return {
    user: isKnown ? toUser(person, outcome === 'administrator') : null,
    badNonce: outcome === 'bad nonce',
    ...(nonce !== undefined && { nonce }),
  };
}

/** Whose an application password would be; undefined of anything else. */
function loginOf({ authorization }: Credentials): string | undefined {
  const login = readBasic(authorization)?.login;
  return login === undefined ? undefined : identityKey(login);
}

/** What WordPress needs to know and no more: none of our cookies, and a nonce only beside its own. */
function credentialsOf(
  { authorization, cookie = '', 'x-wp-nonce': header }: IncomingHttpHeaders,
  nonce = header?.toString(),
): Credentials | undefined {
  const session = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith('wordpress_logged_in_'))
    .join('; ');
  const hasSession = session !== '' && nonce !== undefined;
  if (!authorization && !hasSession) return undefined;
  return {
    ...(authorization && { authorization }),
    // What cannot be a nonce cannot stand in a header either.
    ...(hasSession && { cookie: session, 'x-wp-nonce': /^\w+$/.test(nonce) ? nonce : 'none' }),
  };
}
