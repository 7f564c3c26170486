import type { Caller, WordPressPerson } from '../../platform/rest/caller.ts';
import { readPerson } from './person.ts';

const TIMEOUT_MS = 2_000;
const SETTINGS = '/wp/v2/settings?_fields=title';
const ME = '/wp/v2/users/me?context=edit&_fields=id,username,name,email,roles,registered_date';

export interface WordPress {
  /** The address of its REST root: `https://example.com/wp-json`, or `https://example.com/?rest_route=`. */
  restRoot: string;
  /** Where browsers find us: WordPress takes application passwords over https only. */
  publicUrl: () => string;
}

/** What WordPress says of a caller. */
export interface WordPressResult {
  outcome: 'administrator' | 'user' | 'nobody' | 'bad nonce';
  /** The caller's nonce, renewed. */
  nonce?: NonNullable<Caller['nonce']>;
  /** Undefined of nobody, and where WordPress does not say. */
  person?: WordPressPerson | undefined;
}

/** Where people give a program an application password of a WordPress. */
export const toAuthorizationUrl = (restRoot: string): string =>
  `${restRoot.replace(/\/[^/]*$/, '')}/wp-admin/authorize-application.php`;

/** Throws an Error that says what is wrong unless a WordPress answers there. */
export async function assertWordPress(restRoot: string): Promise<void> {
  const { outcome } = await fetchWordPressUser({ restRoot, publicUrl: () => restRoot }, {});
  if (outcome !== 'nobody') throw new Error(`${restRoot} lets in everybody`);
}

/**
 * Asks a WordPress for its settings with the credentials of a caller, which needs `manage_options`
 * there, and then who that is.
 * @param address of the caller, so that what guards that WordPress counts failures by it
 * @throws Error if the answer is no verdict
 */
export async function fetchWordPressUser(
  wordPress: WordPress,
  credentials: Record<string, string>,
  address?: string,
): Promise<WordPressResult> {
  const ask = (path: string) => request(wordPress, path, credentials, address);
  const settings = await ask(SETTINGS);
  const outcome = toOutcome(settings);
  const nonce = settings.headers.get('x-wp-nonce');
  const renewed = nonce === null ? {} : { nonce };
  if (outcome !== 'administrator' && outcome !== 'user') return { outcome, ...renewed };
  return { outcome, ...renewed, person: toPerson(await ask(ME)) };
}

interface Answer {
  status: number;
  headers: Headers;
  json: Record<string, unknown>;
}

async function request(
  { restRoot, publicUrl }: WordPress,
  path: string,
  credentials: Record<string, string>,
  address: string | undefined,
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
    // Credentials go where the settings say and nowhere else.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // What a cache in between has kept was said of somebody else.
  if (Number(answer.headers.get('age') ?? 0) > 0) throw new Error('a cache answered');
  return { status: answer.status, headers: answer.headers, json: await readJson(answer) };
}

async function readJson(answer: Response): Promise<Record<string, unknown>> {
  try {
    return Object(JSON.parse(await answer.text()));
  } catch (error) {
    // Not its own message: that quotes the answer.
    if (error instanceof SyntaxError) throw new Error(`answered ${answer.status} without JSON`);
    throw error;
  }
}

/** A plugin that guards a site may have codes of its own: what counts is the status. */
function toOutcome({ status, json: { code, title } }: Answer): WordPressResult['outcome'] {
  if (status === 200 && typeof title === 'string') return 'administrator';
  if (status === 403 && code === 'rest_cookie_invalid_nonce') return 'bad nonce';
  if (status === 403 && typeof code === 'string') return 'user';
  if (status === 401 && typeof code === 'string') return 'nobody';
  throw new Error(`answered ${status}, which is not what a WordPress says of its settings`);
}

/** A plugin may close `users/me`: whom WordPress lets in is let in without a name then. */
function toPerson({ status, json }: Answer): WordPressPerson | undefined {
  const person = status === 200 ? readPerson(json) : undefined;
  const isRefused = status >= 400 && status < 500 && typeof json.code === 'string';
  if (person || isRefused) return person;
  throw new Error(`answered ${status}, which is not what a WordPress says of a user`);
}
