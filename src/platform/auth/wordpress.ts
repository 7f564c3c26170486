import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Platform } from '../deps.ts';
import { ApiError } from '../errors.ts';
import type { Authenticate, Caller, User } from './caller.ts';

const TIMEOUT_MS = 2_000;
const GRANTED_FOR_MS = 60_000;
const DENIED_FOR_MS = 10_000;
const VERDICTS_KEPT = 1_000;

/** Whom WordPress lets in, of whom it says no more than that. */
const ADMINISTRATOR: User = {
  id: 0,
  login: 'wordpress',
  email: '',
  role: 'administrator',
  capabilities: ['manage_options'],
};
const SOMEBODY: User = { ...ADMINISTRATOR, role: 'subscriber', capabilities: [] };
const NOBODY: Caller = { user: null, badNonce: false };

interface WordPress {
  /** The address of its REST root: `https://example.com/wp-json`, or `https://example.com/?rest_route=`. */
  restRoot: string;
  /** Where browsers find us: WordPress takes application passwords over https only. */
  publicUrl: () => string;
}

/**
 * Lets a WordPress judge, on Admin routes, whom our own users are not: it is asked for its settings
 * with the caller's credentials, which needs `manage_options`. Verdicts are kept for a minute, denials
 * for ten seconds, so whoever loses their rights there loses them here.
 * @returns a function that throws ApiError 503 `service_unavailable` when no verdict can be had
 */
export function withWordPress(
  own: Authenticate,
  wordPress: WordPress,
  { secret, clock, log }: Platform,
): Authenticate {
  const verdicts = new LRUCache<string, { caller: Caller; until: number }>({ max: VERDICTS_KEPT });
  const underway = new Map<string, Promise<Caller>>();

  async function judge(key: string, credentials: Record<string, string>): Promise<Caller> {
    try {
      const caller = await askWordPress(wordPress, credentials);
      const isGranted = caller.user === ADMINISTRATOR;
      const until = clock.monotonic() + (isGranted ? GRANTED_FOR_MS : DENIED_FOR_MS);
      verdicts.set(key, { caller, until });
      return caller;
    } catch (err) {
      log.warn({ err }, 'WordPress gave no verdict on a caller');
      const message = 'The WordPress that knows the users does not answer. Try again in a moment.';
      throw new ApiError(503, 'service_unavailable', message);
    } finally {
      underway.delete(key);
    }
  }

  async function verdictOn(key: string, credentials: Record<string, string>): Promise<Caller> {
    const verdict = verdicts.get(key);
    if (verdict && verdict.until > clock.monotonic()) return verdict.caller;
    const asked = underway.get(key) ?? judge(key, credentials);
    underway.set(key, asked);
    return asked;
  }

  return async (request) => {
    const known = await own(request);
    const credentials = request.isAdminRoute && credentialsOf(request.headers, request.nonce);
    if (known.user || !credentials) return known;
    const key = secret.hash('wordpress', JSON.stringify(credentials));
    const caller = await verdictOn(key, credentials);
    return caller.user || caller.badNonce ? caller : known;
  };
}

/** Where people give a program an application password of a WordPress. */
export const toAuthorizationUrl = (restRoot: string): string =>
  `${restRoot.replace(/\/[^/]*$/, '')}/wp-admin/authorize-application.php`;

/** Throws an Error that says what is wrong unless a WordPress answers there. */
export async function assertWordPress(restRoot: string): Promise<void> {
  const caller = await askWordPress({ restRoot, publicUrl: () => restRoot }, {});
  if (caller.user) throw new Error(`${restRoot} lets in everybody`);
}

/** What WordPress needs to know and no more: none of our cookies, and a nonce only beside its own. */
function credentialsOf(
  { authorization, cookie = '', 'x-wp-nonce': header }: IncomingHttpHeaders,
  nonce = header?.toString(),
): Record<string, string> | undefined {
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

/** @throws Error if the answer is no verdict */
async function askWordPress(
  { restRoot, publicUrl }: WordPress,
  credentials: Record<string, string>,
): Promise<Caller> {
  const query = restRoot.includes('?') ? '&' : '?';
  const answer = await fetch(`${restRoot}/wp/v2/settings${query}_fields=title`, {
    headers: {
      ...credentials,
      accept: 'application/json',
      'cache-control': 'no-cache',
      'x-forwarded-proto': new URL(publicUrl()).protocol.slice(0, -1),
    },
    // Credentials go where the settings say and nowhere else.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // What a cache in between has kept was said of somebody else.
  if (Number(answer.headers.get('age') ?? 0) > 0) throw new Error('a cache answered');
  const nonce = answer.headers.get('x-wp-nonce');
  const caller = verdictOf(answer.status, await readJson(answer));
  return nonce === null ? caller : { ...caller, nonce };
}

async function readJson(answer: Response): Promise<{ code?: unknown; title?: unknown }> {
  try {
    return Object(JSON.parse(await answer.text()));
  } catch (error) {
    // Not its own message: that quotes the answer.
    if (error instanceof SyntaxError) throw new Error(`answered ${answer.status} without JSON`);
    throw error;
  }
}

/** A plugin that guards a site may have codes of its own: what counts is the status. */
function verdictOf(status: number, { code, title }: { code?: unknown; title?: unknown }): Caller {
  if (status === 200 && typeof title === 'string') return { user: ADMINISTRATOR, badNonce: false };
  if (status === 403 && code === 'rest_cookie_invalid_nonce') return { user: null, badNonce: true };
  if (status === 403 && typeof code === 'string') return { user: SOMEBODY, badNonce: false };
  if (status === 401 && typeof code === 'string') return NOBODY;
  throw new Error(`answered ${status}, which is not what a WordPress says of its settings`);
}
