import { readEmail } from '../../platform/email-address.ts';
import type { Role } from '../../platform/rest/capabilities.ts';

/** What a provider says about a user: of the ID token, or of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** The user that the provider has authenticated. */
export interface ProviderUser {
  issuer: string;
  subject: string;
  /** Normalised. Undefined unless the provider says that it has verified the address. */
  email: string | undefined;
  /** A suggestion for a login. */
  name: string;
  /** Values of the role claim. */
  values: readonly string[];
}

/**
 * The values of a claim: a text or a list of texts. A dot leads into an object, for example `realm_access.roles`,
 * unless a claim has the whole name.
 */
export function readValues(claims: Claims, name: string): readonly string[] {
  let value: unknown = claims[name];
  if (value === undefined && name.includes('.')) {
    value = name
      .split('.')
      .reduce<unknown>(
        (at, part) =>
          typeof at === 'object' && at !== null && Object.hasOwn(at, part)
            ? (at as Claims)[part]
            : undefined,
        claims,
      );
  }
  return [value].flat().filter((each) => typeof each === 'string');
}

/**
 * The user of the claims. The ID token is signed and takes precedence; an address and its verification are read from
 * the same source.
 */
export function toProviderUser(
  token: Claims & { iss: string; sub: string },
  info: Claims,
  roleClaim: string,
): ProviderUser {
  const source = token.email === undefined ? info : token;
  const email = source.email_verified === true ? readEmail(String(source.email)) : undefined;
  const name = token.preferred_username ?? info.preferred_username;
  const values = readValues(token, roleClaim);
  return {
    issuer: token.iss,
    subject: token.sub,
    email,
    name: typeof name === 'string' ? name : (email ?? ''),
    values: values.length > 0 ? values : readValues(info, roleClaim),
  };
}

/** The role of the first pair whose value the user has; undefined for none. */
export const findRole = (
  pairs: readonly (readonly [value: string, role: Role])[],
  values: readonly string[],
): Role | undefined => pairs.find(([value]) => values.includes(value))?.[1];

const LOGIN_MAX_LENGTH = 60;

/** A valid login from a name or email address. @param number tells apart users of the same name; 1 is the first */
export function toLogin(name: string, number = 1): string {
  const [local = ''] = name.split('@', 1);
  const plain = local
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]/g, '')
    .replace(/^[._-]+/, '');
  const suffix = number === 1 ? '' : `-${number}`;
  return (plain || 'user').slice(0, LOGIN_MAX_LENGTH - suffix.length) + suffix;
}
