import { type Capability, hasCapability } from './capabilities.ts';

interface ScopeEntry {
  /** What people read of it. */
  description: string;
  /** Each of them allows at least one route of the scope. */
  capabilities: readonly Capability[];
}

/**
 * What an application password can be limited to: the area of a route and whether it reads or writes. A scope never adds
 * to the rights of the user. There is none for changes to users and their passwords, which would grant further rights.
 */
export const SCOPES = {
  'consent:read': {
    description:
      'Read consent records, consent statistics, the consent log and banner pictures, as far as your role may',
    capabilities: ['read_privacy', 'read_settings'],
  },
  'consent:write': {
    description:
      'Verify the consent log, dismiss refused origins, and show or rotate the key for signed-in people',
    capabilities: ['manage_options'],
  },
  'settings:read': {
    description: 'Read the settings and the banner versions',
    capabilities: ['read_settings'],
  },
  'settings:write': {
    description: 'Change and import settings, with the texts of the banner',
    capabilities: ['edit_banner_texts'],
  },
  'scanner:read': {
    description: 'Read scans, their findings and evidence',
    capabilities: ['read_privacy'],
  },
  'scanner:write': {
    description: 'Start, cancel and delete scans, and decide about findings',
    capabilities: ['manage_options'],
  },
  'vendors:read': { description: 'Read vendors', capabilities: ['read_privacy'] },
  'vendors:write': {
    description: 'Create, change and delete vendors',
    capabilities: ['manage_options'],
  },
  'data-map:read': {
    description: 'Read and export the data map, and compare it with the latest scan',
    capabilities: ['read_privacy'],
  },
  'data-map:write': {
    description: 'Create, change and delete data map entries',
    capabilities: ['manage_options'],
  },
  'scripts:read': { description: 'Read scripts', capabilities: ['read_privacy'] },
  'scripts:write': {
    description: 'Register, change and delete scripts',
    capabilities: ['manage_options'],
  },
  'dsar:read': {
    description:
      'Read subject requests and their statistics, with the personal data your role sees',
    capabilities: ['manage_privacy_requests', 'read_settings'],
  },
  'dsar:write': {
    description:
      'Create and handle subject requests, approve erasures; administrators also delete requests',
    capabilities: ['manage_privacy_requests'],
  },
  'retention:read': {
    description: 'Read retention policies and runs; administrators also legal holds',
    capabilities: ['read_privacy'],
  },
  'retention:write': {
    description: 'Change and run retention policies, place and release legal holds',
    capabilities: ['manage_options'],
  },
  'mail:read': {
    description: 'Read the list of emails',
    capabilities: ['manage_privacy_requests'],
  },
  'mail:write': {
    description: 'Retry emails and send test emails',
    capabilities: ['manage_privacy_requests'],
  },
  'webhooks:read': {
    description: 'Read webhooks and their deliveries, with the payloads',
    capabilities: ['manage_options'],
  },
  'webhooks:write': {
    description: 'Create, change, test and delete webhooks, and send events again',
    capabilities: ['manage_options'],
  },
  'licence:read': { description: 'Read the licence of the site', capabilities: ['read_privacy'] },
  'licence:write': {
    description: 'Save and remove the licence key of the site',
    capabilities: ['manage_options'],
  },
  'developer:read': {
    description: 'Read hooks and registered extensions',
    capabilities: ['read_privacy'],
  },
  'users:read': {
    description:
      'Read the account of the user; administrators also read all users and their activity',
    capabilities: ['read'],
  },
  'security-log:read': {
    description: 'Read and export the security log',
    capabilities: ['manage_options'],
  },
} as const satisfies Record<string, ScopeEntry>;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

/** Paths that belong to the area of another path. */
const AREAS: Record<string, string> = {
  declaration: 'data-map',
  'webhook-deliveries': 'webhooks',
};

const isScope = (name: string): name is Scope => Object.hasOwn(SCOPES, name);

/** Undefined for a route that no scope allows. */
export function getRequiredScope({
  method,
  path,
  scope,
}: {
  method: string;
  path: string;
  scope?: Scope;
}): Scope | undefined {
  if (scope) return scope;
  const [, first = ''] = path.split('/');
  const name = `${AREAS[first] ?? first}:${method === 'GET' ? 'read' : 'write'}`;
  return isScope(name) ? name : undefined;
}

/** Whether a user may use what needs a scope: always, unless they use a limited application password. */
export const hasScope = (
  { scopes }: { scopes?: readonly Scope[] },
  needed: Scope | undefined,
): boolean => scopes === undefined || (needed !== undefined && scopes.includes(needed));

/** The scopes of which a user with these capabilities can make use. */
export const listUsableScopes = (user: { capabilities: readonly string[] }): Scope[] =>
  SCOPE_NAMES.filter((name) =>
    SCOPES[name].capabilities.some((capability) => hasCapability(user, capability)),
  );
