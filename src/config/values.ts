import { CliError } from '../platform/errors.ts';
import { isOrigin } from '../platform/http/host-name.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws CliError (exit 2) naming the variable, what is wrong with it and what is allowed */
export function refuse(name: string, wrong: string, allowed: string): never {
  throw new CliError(`${name} ${wrong}: ${allowed}`, 2);
}

/** An empty value counts as not set. */
export const text = (env: Environment, name: string): string | undefined =>
  env[name]?.trim() || undefined;

export function integer(
  env: Environment,
  name: string,
  otherwise: number,
  min: number,
  max: number,
  orOff = '',
): number {
  const value = text(env, name);
  if (value === undefined) return otherwise;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) {
    refuse(name, `is "${value}"`, `a whole number from ${min} to ${max}${orOff} is allowed`);
  }
  return number;
}

/** Undefined: no limit. */
export function limit(env: Environment, name: string, otherwise: number): number | undefined {
  return text(env, name) === 'off'
    ? undefined
    : integer(env, name, otherwise, 1, 100_000, ', or off,');
}

export const flag = (env: Environment, name: string, otherwise: boolean): boolean =>
  oneOf(env, name, ['on', 'off'], otherwise ? 'on' : 'off') === 'on';

export function oneOf<T extends string>(
  env: Environment,
  name: string,
  allowed: readonly T[],
  otherwise: T,
): T {
  const value = text(env, name) ?? otherwise;
  const found = allowed.find((each) => each === value);
  return found ?? refuse(name, `is "${value}"`, `allowed are ${allowed.join(', ')}`);
}

export const items = (env: Environment, name: string): string[] | undefined =>
  text(env, name)
    ?.split(',')
    .map((item) => item.trim());

export function list<T extends string>(
  env: Environment,
  name: string,
  allowed: readonly T[],
): readonly T[] {
  const given = items(env, name);
  if (!given) return allowed;
  const wrong = given.find((item) => !allowed.includes(item as T));
  if (wrong !== undefined) {
    refuse(name, `names "${wrong}"`, `a comma-separated list of ${allowed.join(', ')} is allowed`);
  }
  return given as T[];
}

/** Different numbers of days from 1 to 365, the largest first. */
export function dayNumbers(
  env: Environment,
  name: string,
  fallback: readonly number[],
): readonly number[] {
  const given = items(env, name);
  if (!given) return fallback;
  const wrong = given.find((item) => !/^[1-9]\d{0,2}$/.test(item) || Number(item) > 365);
  if (wrong !== undefined) {
    refuse(
      name,
      `names "${wrong}"`,
      'comma-separated days from 1 to 365 are allowed, for example 30,7,1',
    );
  }
  return [...new Set(given.map(Number))].toSorted((a, b) => b - a);
}

/** Without a trailing slash. */
export function httpUrl(env: Environment, name: string): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  const extras = url && url.search + url.hash + url.username + url.password;
  if (!url || !isHttp || extras) {
    refuse(
      name,
      `is "${maskUrl(value)}"`,
      'an http or https URL without user, query and fragment is allowed, for example https://example.com/path',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

export function origins(env: Environment, name: string): readonly string[] | undefined {
  const given = items(env, name)?.map((item) => item.replace(/\/$/, ''));
  const wrong = given?.find((item) => !isOrigin(item));
  if (wrong !== undefined) {
    refuse(
      name,
      `names "${maskUrl(wrong)}"`,
      'comma-separated origins are allowed: scheme, host and port without path, user and wildcards, for example https://example.com',
    );
  }
  return given;
}

export function timeZone(env: Environment, name: string): string {
  const value = text(env, name) ?? 'UTC';
  if (value === 'UTC') return value;
  try {
    // An offset is a zone for Intl, too, but knows no summer time.
    if (/^[+-]/.test(value)) throw new RangeError();
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    return refuse(
      name,
      `is "${value}"`,
      'a name of the IANA time zone database is allowed, for example Europe/Berlin',
    );
  }
}

/** A URL without password, also in its query. */
export function maskUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || text.startsWith('sqlite:')) return text.replace(/\/\/[^/]*@/, '//***@');
  const secrets = [...url.searchParams.keys()].filter((name) =>
    /pass|key|secret|token/i.test(name),
  );
  if (!url.password && secrets.length === 0) return text;
  if (url.password) url.password = '***';
  for (const name of secrets) url.searchParams.set(name, '***');
  return url.href;
}
