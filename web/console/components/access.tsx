import { Card } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Capability } from '../../../src/identity/users/schemas.ts';
import { sessionQuery } from '../api/queries.ts';

/** Whether a user has a capability. `manage_options` includes all others, as on the server. */
export const hasCapability = (
  { capabilities }: { capabilities: readonly string[] },
  needed: Capability,
): boolean => capabilities.includes(needed) || capabilities.includes('manage_options');

/** Whether the signed-in user has a capability. */
export function useCan(needed: Capability): boolean {
  const { data } = useQuery(sessionQuery);
  return data !== undefined && hasCapability(data.user, needed);
}

/** The capability that a page requires, by the prefix of its path. The first match counts. */
const SCREENS: readonly [path: string, needs: Capability][] = [
  ['/profile', 'read'],
  ['/consent/figures', 'read_privacy'],
  ['/consent/log', 'read_privacy'],
  ['/consent', 'manage_options'],
  ['/banner/origins', 'read_privacy'],
  ['/banner/import', 'edit_banner_texts'],
  ['/banner', 'read_settings'],
  ['/requests', 'manage_privacy_requests'],
  ['/vendors/new', 'manage_options'],
  ['/data-map/new', 'manage_options'],
  ['/scripts/new', 'manage_options'],
  ['/retention/new', 'manage_options'],
  ['/licences', 'manage_options'],
  ['/products', 'manage_options'],
  ['/customers', 'manage_options'],
  ['/users', 'manage_options'],
  ['/webhooks', 'manage_options'],
  ['/security-log', 'manage_options'],
];

/** The capability that a page requires. @param path with or without `/admin` */
export function getRequiredCapability(path: string): Capability {
  const own = path.replace(/^\/admin(?=\/|$)/, '').replace(/[?#].*/, '');
  const found = SCREENS.find(([start]) => own === start || own.startsWith(`${start}/`));
  return found?.[1] ?? 'read_privacy';
}

/** Renders its children only for users with a capability. */
export function Allowed({
  needs = 'manage_options',
  children,
}: {
  needs?: Capability;
  children: ReactNode;
}) {
  return useCan(needs) ? children : null;
}

/** Explains to users without a capability why they cannot change anything. */
export function ReadOnlyNotice({
  needs = 'manage_options',
  children = 'Read only. Ask an administrator to make changes here.',
}: {
  needs?: Capability;
  children?: ReactNode;
}) {
  return useCan(needs) ? null : (
    <Card component="p" padding="sm" role="note">
      {children}
    </Card>
  );
}
