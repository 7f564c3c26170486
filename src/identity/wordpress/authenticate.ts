import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { currentClient } from '../../platform/http/request-client.ts';
import { type Authenticate, type Caller, NOBODY } from '../../platform/rest/caller.ts';
import { identityKey, readBasic } from '../users/index.ts';
import { fetchWordPressUser, type WordPress, type WordPressResult } from './ask.ts';
import { GuessLimits } from './guess-limits.ts';
import { toUser } from './person.ts';

const GRANTED_FOR_MS = 60_000;
const DENIED_FOR_MS = 10_000;
/** For credentials that are repeatedly wrong. */
const DENIED_AT_MOST_FOR_MS = 5 * 60_000;
const CACHED_MAX = 1_000;

interface Known {
  caller: Caller;
  until: number;
  heldMs: number;
}

/**
 * Authenticates callers who are not Pavis users with WordPress, except on public routes. Grants are cached for a minute,
 * denials for ten seconds and longer each time. Beyond `GuessLimits` only credentials that WordPress has accepted before
 * are sent to it.
 * @returns a function that throws DomainError unavailable if WordPress does not respond
 */
export function withWordPress(
  own: Authenticate,
  wordPress: WordPress,
  platform: Platform,
): Authenticate {
  const { secret, clock, log } = platform;
  const limits = new GuessLimits(platform);
  // Separate, so that wrong credentials cannot evict correct ones.
  const granted = new LRUCache<string, Known>({ max: CACHED_MAX });
  const denied = new LRUCache<string, Known>({ max: CACHED_MAX });
  const underway = new Map<string, Promise<Caller>>();

  async function authenticate(key: string, credentials: Credentials): Promise<Caller> {
    const client = currentClient();
    const guess = { login: readLogin(credentials), address: client?.address ?? 'unknown' };
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
      throw new DomainError('unavailable', 'service_unavailable', message);
    }
  }

  async function authenticateOnce(key: string, credentials: Credentials): Promise<Caller> {
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
    const credentials = request.needsUser && pickCredentials(request.headers, request.nonce);
    if (known.user || known.lacksSecondFactor || !credentials) return known;
    const key = secret.hash('wordpress', JSON.stringify(credentials));
    const caller = await authenticateOnce(key, credentials);
    return caller.user || caller.badNonce ? caller : { ...known, ...caller };
  };
}

type Credentials = Record<string, string>;

const holdMs = ({ outcome }: WordPressResult): number =>
  outcome === 'administrator' ? GRANTED_FOR_MS : DENIED_FOR_MS;

/** Doubles for repeated denials. */
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

/** The login of a Basic header. */
function readLogin({ authorization }: Credentials): string | undefined {
  const login = readBasic(authorization)?.login;
  return login === undefined ? undefined : identityKey(login);
}

/** The credentials for WordPress only: none of our cookies, and the nonce only with its session. */
function pickCredentials(
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
    // Other characters may be invalid in a header.
    ...(hasSession && { cookie: session, 'x-wp-nonce': /^\w+$/.test(nonce) ? nonce : 'none' }),
  };
}
