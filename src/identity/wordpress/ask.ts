import type { Caller, WordPressPerson } from '../../platform/rest/caller.ts';
import { readPerson } from './person.ts';

const TIMEOUT_MS = 2_000;
const SETTINGS = '/wp/v2/settings?_fields=title';
const INDEX = '/?_fields=authentication';
const ME = '/wp/v2/users/me?context=edit&_fields=id,username,name,email,roles,registered_date';

export interface WordPress {
  /** For example `https://example.com/wp-json` or `https://example.com/?rest_route=`. */
  restRoot: string;
  /** The public address of Pavis: WordPress accepts application passwords over HTTPS only. */
  publicUrl: () => string;
}

export interface WordPressResult {
  outcome: 'administrator' | 'user' | 'nobody' | 'bad nonce';
  /** The renewed nonce. */
  nonce?: NonNullable<Caller['nonce']>;
  /** Undefined if unauthenticated, or if WordPress does not return it. */
  person?: WordPressPerson | undefined;
}

/** @throws Error unless a WordPress site responds and requires authentication */
export async function assertWordPress(restRoot: string): Promise<void> {
  const wordPress = { restRoot, publicUrl: () => restRoot };
  const { outcome } = await fetchWordPressUser(wordPress, {}).catch(({ message, cause }) => {
    // `fetch` has errors of the connection as a cause.
    throw new Error(`${restRoot} is not usable: ${cause?.message || cause?.code || message}`);
  });
  if (outcome !== 'nobody') throw new Error(`${restRoot} requires no authentication`);
}

/**
 * Requests the settings of WordPress with the credentials of a caller, which requires `manage_options`, and then the user.
 * @param address of the caller, for security plugins that count failures
 * @throws Error if the response is inconclusive
 */
export async function fetchWordPressUser(
  wordPress: WordPress,
  credentials: Record<string, string>,
  address?: string,
): Promise<WordPressResult> {
  async function ask(path: string): Promise<Answer> {
    const answer = await request(wordPress, path, credentials, address);
    // A cached response may be about another user.
    if (Number(answer.headers.get('age') ?? 0) > 0) throw new Error('a cache answered');
    return answer;
  }
  const settings = await ask(SETTINGS);
  const outcome = toOutcome(settings);
  const nonce = settings.headers.get('x-wp-nonce');
  const renewed = nonce === null ? {} : { nonce };
  if (outcome !== 'administrator' && outcome !== 'user') return { outcome, ...renewed };
  return { outcome, ...renewed, person: toPerson(await ask(ME)) };
}

/**
 * The page that creates application passwords.
 * @throws Error if WordPress does not name it
 */
export async function fetchAuthorizationUrl(wordPress: WordPress): Promise<string> {
  const { status, json } = await request(wordPress, INDEX);
  const { authentication } = json as { authentication?: Record<string, Method | undefined> };
  const url = authentication?.['application-passwords']?.endpoints?.authorization;
  if (typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url)) return url;
  throw new Error(
    `the index of WordPress, with status ${status}, has no address of a page for application passwords`,
  );
}

interface Method {
  endpoints?: { authorization?: unknown };
}

interface Answer {
  status: number;
  headers: Headers;
  json: Record<string, unknown>;
}

async function request(
  { restRoot, publicUrl }: WordPress,
  path: string,
  credentials: Record<string, string> = {},
  address?: string,
): Promise<Answer> {
  const url = restRoot + (restRoot.includes('?') ? path.replace('?', '&') : path);
  const answer = await fetch(url, {
    headers: {
      ...credentials,
      accept: 'application/json',
      'cache-control': 'no-cache',
      'x-forwarded-proto': new URL(publicUrl()).protocol.slice(0, -1),
      ...(address !== undefined && { 'x-forwarded-for': address }),
    },
    // Credentials are sent to the configured address only.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: answer.status, headers: answer.headers, json: await readJson(answer) };
}

async function readJson(answer: Response): Promise<Record<string, unknown>> {
  try {
    return Object(JSON.parse(await answer.text()));
  } catch (error) {
    // The message of the SyntaxError quotes the response.
    if (error instanceof SyntaxError) throw new Error(`answered ${answer.status} without JSON`);
    throw error;
  }
}

/** Security plugins may have other codes, so the status decides. */
function toOutcome({ status, json: { code, title } }: Answer): WordPressResult['outcome'] {
  if (status === 200 && typeof title === 'string') return 'administrator';
  if (status === 403 && code === 'rest_cookie_invalid_nonce') return 'bad nonce';
  if (status === 403 && typeof code === 'string') return 'user';
  if (status === 401 && typeof code === 'string') return 'nobody';
  throw new Error(`unexpected status ${status} for the settings`);
}

/** If a plugin closes `users/me`, the user has no name. */
function toPerson({ status, json }: Answer): WordPressPerson | undefined {
  const person = status === 200 ? readPerson(json) : undefined;
  const isRefused = status >= 400 && status < 500 && typeof json.code === 'string';
  if (person || isRefused) return person;
  throw new Error(`unexpected status ${status} for the user`);
}
