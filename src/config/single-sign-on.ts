import { isIP } from 'node:net';
import { ROLE_NAMES, type Role } from '../platform/rest/capabilities.ts';
import { type Environment, items, refuse, text } from './values.ts';

const ISSUER = 'PAVIS_OIDC_ISSUER';
const OTHERS = ['CLIENT_ID', 'CLIENT_SECRET', 'NAME', 'ROLE_CLAIM', 'ROLES'];

/** The OpenID Connect provider with which users sign in; undefined without one. */
export function singleSignOn(env: Environment) {
  const issuer = text(env, ISSUER);
  if (issuer === undefined) {
    const lonely = OTHERS.map((name) => `PAVIS_OIDC_${name}`).find((name) => text(env, name));
    if (lonely) refuse(lonely, `is set without ${ISSUER}`, 'set the address of the provider');
    return undefined;
  }
  assertIssuer(issuer);
  const clientId = text(env, 'PAVIS_OIDC_CLIENT_ID');
  if (clientId === undefined) {
    return refuse(
      'PAVIS_OIDC_CLIENT_ID',
      'is not set',
      'the provider gives one to each application that is registered with it',
    );
  }
  return Object.freeze({
    /** In the spelling of the provider. */
    issuer,
    clientId,
    /** Undefined for a public client, which authenticates with PKCE only. */
    clientSecret: text(env, 'PAVIS_OIDC_CLIENT_SECRET'),
    /** On the button of the sign-in page. */
    name: text(env, 'PAVIS_OIDC_NAME') ?? 'single sign-on',
    roleClaim: text(env, 'PAVIS_OIDC_ROLE_CLAIM') ?? 'groups',
    /** The first value that a user has decides. Undefined: roles are managed here. */
    roles: roles(env),
  });
}

/** https, since the tokens of the provider decide who may sign in; http on this machine, for tests. */
function assertIssuer(issuer: string): void {
  const url = URL.parse(issuer);
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isLocal = host === 'localhost' || (isIP(host) > 0 && /^(?:127\.|::1$)/.test(host));
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal);
  if (url && isAllowed && !url.search && !url.hash && !url.username && !url.password) return;
  refuse(
    ISSUER,
    'is no issuer',
    'an https URL without user, query and fragment is allowed, as the provider spells it, for example https://login.example.com/realms/staff',
  );
}

/** `VALUE:ROLE`, where the value may contain colons. */
function roles(env: Environment): readonly (readonly [value: string, role: Role])[] | undefined {
  return items(env, 'PAVIS_OIDC_ROLES')?.map((item) => {
    const [, value = '', role = ''] = /^(.+):([a-z]+)$/.exec(item) ?? [];
    const known = ROLE_NAMES.find((name) => name === role);
    if (known) return [value, known] as const;
    return refuse(
      'PAVIS_OIDC_ROLES',
      `names "${item}"`,
      `comma-separated VALUE:ROLE is allowed, the role one of ${ROLE_NAMES.join(', ')}, for example admins:administrator,staff:editor`,
    );
  });
}
