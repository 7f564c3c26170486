/** What each role may do. Only `manage_options` opens the Admin routes. */
const ROLES = {
  administrator: ['manage_options', 'read'],
  editor: ['read', 'edit_posts'],
  subscriber: ['read'],
} as const;

export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as Role[];

/** The capabilities of a role; none for one that this version does not know. */
export const capabilitiesOf = (role: string): readonly string[] =>
  Object.hasOwn(ROLES, role) ? ROLES[role as Role] : [];

/** Whether a user may use the Admin routes. */
export const canManage = ({ capabilities }: { capabilities: readonly string[] }): boolean =>
  capabilities.includes('manage_options');
