/** `manage_options` includes all others. */
export const CAPABILITIES = {
  read: 'Sign in, and manage the own account.',
  read_privacy:
    'Read statistics, scans, vendors, the data map, scripts, retention and the state of the consent log. None of them identifies a visitor or a requester.',
  read_settings:
    'Read the settings, the versions of the banner and the figures of privacy requests.',
  edit_banner_texts: 'Change the texts and translations of the banner.',
  manage_privacy_requests: 'Handle requests of data subjects, with all their personal data.',
  manage_options: 'Everything.',
} as const;

export type Capability = keyof typeof CAPABILITIES;

/** Roles of WordPress, and `viewer`. */
const ROLES = {
  administrator: ['manage_options', 'read'],
  editor: ['read', 'edit_posts', 'read_settings', 'edit_banner_texts', 'manage_privacy_requests'],
  viewer: ['read', 'read_privacy', 'read_settings'],
  subscriber: ['read'],
} as const satisfies Record<string, readonly (Capability | 'edit_posts')[]>;

export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as Role[];

/** Empty for an unknown role. */
export const listCapabilities = (role: string): readonly string[] =>
  Object.hasOwn(ROLES, role) ? ROLES[role as Role] : [];

export const hasCapability = (
  { capabilities }: { capabilities: readonly string[] },
  needed: Capability,
): boolean => capabilities.includes(needed) || capabilities.includes('manage_options');

export const rolesWith = (needed: Capability): Role[] =>
  ROLE_NAMES.filter((role) => hasCapability({ capabilities: listCapabilities(role) }, needed));
