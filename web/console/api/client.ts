import { changedFields } from '../components/merge.ts';
import { setSiteTimeZone } from './site-time.ts';

/** The root of an API, which the server writes into the page. */
const getRoot = (name: string, path: string): string => {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  // Vite serves the page with its placeholders.
  return content.includes('#') ? path : content;
};
const REST = `${getRoot('pavis-rest', '/wp-json')}/svc/v1`;
/** A path, or a URL if the Licence API has a public one. */
export const LICENCE_ROOT = getRoot('pavis-licence', '');

const SESSION = '/console/session';

export interface SignedIn {
  user: { login: string; email: string; role: string; capabilities: readonly string[] };
  nonce: string;
  /** If true, the user must set up a second factor first. */
  second_factor_setup_required: boolean;
  /** The IANA name of the site's zone. */
  time_zone: string;
  /** False without a mail server: emails are saved as files. */
  is_mail_sent: boolean;
}

/** An error response of the API. `message` can be shown to users. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** Why a parameter is invalid, by its name. */
  readonly params: Readonly<Record<string, string>>;
  /** Further details, depending on `code`. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    params: Record<string, string> = {},
    data: Record<string, unknown> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.params = params;
    this.data = data;
  }
}

/** The browser does not say whether the network or the server failed. */
export const NOT_REACHABLE =
  'The server does not answer. Check your connection, or whether the server is running.';

/** The answer can be lost although the server has done what was asked, for example issued a licence. */
const MAY_HAVE_ARRIVED = 'Your request may have arrived. Check that before you repeat it.';

/** Of a request with an idempotency key. */
const MAY_BE_REPEATED = 'Your request may have arrived. You can repeat it without changes.';

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Page<T> {
  items: T[];
  total: number;
}

/** The nonce of the session. Any response can replace it. */
let nonce = '';
/** The user of the session. */
let login = '';

/** A resource with its entity tag. */
export interface Tagged<T> {
  value: T;
  etag: string;
}

interface Call {
  query?: Query;
  body?: unknown;
  /** Sent as `If-Match`. */
  ifMatch?: string;
  /** Sent as `Idempotency-Key`. */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
}

/** Whether the server responds. */
export const isServerReachable = (): Promise<boolean> =>
  fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** @throws ApiError with status 0 if the server does not respond */
async function send(
  method: string,
  url: string,
  { body, signal, ifMatch, idempotencyKey }: Call,
): Promise<Response> {
  const headers = {
    ...(nonce && { 'x-wp-nonce': nonce }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(ifMatch && { 'if-match': ifMatch }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  };
  const init = {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const response = await fetch(url, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'unreachable', NOT_REACHABLE);
  });
  nonce = response.headers.get('x-wp-nonce') ?? nonce;
  if (response.ok) return response;
  throw await toApiError(response);
}

/** Bounds of numbers as people write them; the API has the words of WordPress. */
const toPlainReasons = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, text]) => [name, text.replaceAll(' (inclusive)', '')]),
  );

/** What a proxy answers while the server restarts has no message. */
const describeStatus = (status: number): string =>
  `The server answered ${status}.${status < 500 ? '' : ' Try again in a moment.'}`;

async function toApiError(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => ({}));
  const { code = '', message = describeStatus(response.status), data } = body;
  const params = Array.isArray(data?.params)
    ? Object.fromEntries(data.params.map((name: string) => [name, 'Please fill this in.']))
    : data?.params && toPlainReasons(data.params);
  return new ApiError(response.status, code, message, params, data);
}

/**
 * Like `send`, with one retry if the nonce has expired.
 * @throws ApiError 401 as `readSession`
 */
async function call(method: string, path: string, options: Call = {}): Promise<Response> {
  const url = toUrl(path, options.query);
  try {
    return await send(method, url, options);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message } = error;
    if (method === 'POST' && (status === 0 || (status > 500 && !code))) {
      const advice = options.idempotencyKey ? MAY_BE_REPEATED : MAY_HAVE_ARRIVED;
      throw new ApiError(status, code, `${message} ${advice}`);
    }
    if (error.code !== 'rest_cookie_invalid_nonce') throw error;
    await readSession();
    return send(method, url, options);
  }
}

/** The URL of a route of the plugin REST API or of the console. */
export function toUrl(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${path.startsWith('/console/') ? '' : REST}${path}${text && `?${text}`}`;
}

export const getNonce = (): string => nonce;

export async function get<T>(path: string, query?: Query): Promise<T> {
  return (await call('GET', path, { ...(query && { query }) })).json();
}

/** Like `get`, for plain text. */
export const getText = async (path: string): Promise<string> => (await call('GET', path)).text();

/** Like `get`, with the entity tag. */
export const getTagged = async <T>(path: string, signal?: AbortSignal): Promise<Tagged<T>> =>
  toTagged(await call('GET', path, { signal }));

/** @throws ApiError 412 if the resource no longer has the entity tag */
export const putTagged = async <T>(path: string, body: unknown, etag: string): Promise<Tagged<T>> =>
  toTagged(await call('PUT', path, { body, ifMatch: etag }));

/** Gets a record with its entity tag among its fields. */
export async function getRecord<T extends object>(path: string): Promise<T & { etag: string }> {
  const { value, etag } = await getTagged<T>(path);
  return { ...value, etag };
}

/**
 * Saves the changed fields of a record, unless another user has changed the same ones. What others have changed in other fields stays.
 * @param seen the record as it was read
 * @param etag that of the values which the user has seen. It is not that of `seen` if another user has changed the same field.
 * @throws ApiError 412 if another user has changed the same field
 */
export async function putChanged<T extends object>(
  path: string,
  body: object,
  seen: T & { etag: string },
  etag: string,
): Promise<T> {
  try {
    return (await putTagged<T>(path, body, etag)).value;
  } catch (error) {
    const isChanged = error instanceof ApiError && error.status === 412;
    if (!isChanged || etag !== seen.etag) throw error;
    const latest = await getRecord<T>(path);
    const theirs = Object.keys(changedFields(seen, latest));
    if (theirs.some((field) => field in body)) throw error;
    return (await putTagged<T>(path, body, latest.etag)).value;
  }
}

export const postTagged = async <T>(path: string, body: unknown): Promise<Tagged<T>> =>
  toTagged(await call('POST', path, { body }));

/** Compressing proxies make entity tags weak, and `If-Match` never matches a weak tag (RFC 9110 §13.1.1). */
const toTagged = async <T>(response: Response): Promise<Tagged<T>> => ({
  value: await response.json(),
  etag: (response.headers.get('etag') ?? '').replace(/^W\//, ''),
});

export async function list<T>(path: string, query?: Query, signal?: AbortSignal): Promise<Page<T>> {
  const response = await call('GET', path, { ...(query && { query }), signal });
  const items: T[] = await response.json();
  return { items, total: Number(response.headers.get('x-wp-total') ?? items.length) };
}

/** Reads all pages of a list. */
export async function listAll<T>(path: string, query: Query = {}): Promise<T[]> {
  const items: T[] = [];
  for (let page = 1; ; page += 1) {
    const part = await list<T>(path, { ...query, per_page: 100, page });
    items.push(...part.items);
    if (part.items.length === 0 || items.length >= part.total) return items;
  }
}

export async function write<T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  return (await call(method, path, { body, signal })).json();
}

/** 128 random bits; `crypto.randomUUID` requires HTTPS. */
export const createIdempotencyKey = (): string =>
  crypto.getRandomValues(new Uint32Array(4)).join('-');

/** Like `write`; the server does it once, however often it is sent with the same body and key. */
export const postOnce = async <T>(
  path: string,
  body: unknown,
  idempotencyKey: string,
): Promise<T> => (await call('POST', path, { body, idempotencyKey })).json();

async function session(
  method: 'GET' | 'POST' | 'DELETE',
  body?: object,
  path = '',
): Promise<SignedIn> {
  const response = await send(method, SESSION + path, { body });
  const signedIn: SignedIn = await response.json();
  // Before the nonce of another user is stored, with which this tab would act as that user.
  if (method === 'GET' && login && signedIn.user.login !== login)
    throw new ApiError(401, 'rest_other_user', 'Another user has signed in in another tab.');
  nonce = signedIn.nonce ?? '';
  login = signedIn.user?.login ?? '';
  if (signedIn.time_zone) setSiteTimeZone(signedIn.time_zone);
  return signedIn;
}

/** @throws ApiError 401 if no user is signed in, or if another user has signed in meanwhile, in another tab */
export const readSession = (): Promise<SignedIn> => session('GET');

/**
 * @throws ApiError 401 `second_factor_required` with `methods`, 401 if login or password are wrong, 429 after too many
 * tries
 */
export const signIn = (login: string, password: string): Promise<SignedIn> =>
  session('POST', { login, password });

/** The second step of a sign-in, or one with a passkey. */
export const completeSignIn = (
  step: 'second-factor' | 'passkey',
  body: object,
): Promise<SignedIn> => session('POST', body, `/${step}`);

/**
 * @returns the page of an identity provider at which the user signs out as well
 * @throws ApiError 401 as `readSession`
 */
export async function signOut(): Promise<string | undefined> {
  // Renews the nonce.
  await readSession();
  return ((await session('DELETE')) as { sign_out_url?: string }).sign_out_url;
}

const SETUP = '/console/setup';

/** Whether there is an administrator who can sign in. */
export async function readHasAdministrator(): Promise<boolean> {
  const { administrator } = await (await send('GET', SETUP, {})).json();
  return administrator;
}

export interface FirstAdministrator {
  login: string;
  email: string;
  password: string;
}

/** @throws ApiError 403 if the token has expired, 409 if there is an administrator already */
export async function createFirstAdministrator(
  token: string,
  user: FirstAdministrator,
): Promise<void> {
  await send('POST', SETUP, { body: { token, ...user } });
}
