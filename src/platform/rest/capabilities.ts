/** What a user may be allowed to do, and who needs it. `manage_options` includes all others. */
export const CAPABILITIES = {
  read: 'Sign in, and manage the own account.',
  read_privacy:
    'Read statistics, scans, vendors, the data map, scripts and retention. None of them identifies a visitor or a requester.',
  read_settings:
    'Read the settings, the versions of the banner and the figures of privacy requests.',
  edit_banner_texts: 'Change the texts and translations of the banner.',
  manage_privacy_requests: 'Handle requests of data subjects, with all their personal data.',
  manage_options: 'Everything.',
} as const;

export type Capability = keyof typeof CAPABILITIES;

/** What each role may do. `administrator` and `editor` are those of WordPress, `viewer` is ours. */
const ROLES = {
  administrator: ['manage_options', 'read'],
  editor: ['read', 'edit_posts', 'read_settings', 'edit_banner_texts', 'manage_privacy_requests'],
  viewer: ['read', 'read_privacy', 'read_settings'],
  subscriber: ['read'],
} as const satisfies Record<string, readonly (Capability | 'edit_posts')[]>;

export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as Role[];

/** The capabilities of a role; none for one that this version does not know. */
export const listCapabilities = (role: string): readonly string[] =>
  Object.hasOwn(ROLES, role) ? ROLES[role as Role] : [];

/** Whether a user with these capabilities may do what needs this one. */
export const hasCapability = (
  { capabilities }: { capabilities: readonly string[] },
  needed: Capability,
): boolean => capabilities.includes(needed) || capabilities.includes('manage_options');

/** The roles that have a capability. */
export const rolesWith = (needed: Capability): Role[] =>
  ROLE_NAMES.filter((role) => hasCapability({ capabilities: listCapabilities(role) }, needed));
