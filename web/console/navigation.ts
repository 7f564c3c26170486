import {
  type Icon,
  IconBinaryTree,
  IconBuildingStore,
  IconChartBar,
  IconCode,
  IconCookie,
  IconFileText,
  IconHeartbeat,
  IconHourglass,
  IconInbox,
  IconLayoutDashboard,
  IconLicense,
  IconPackage,
  IconSettings,
  IconShieldCheck,
  IconShieldLock,
  IconSitemap,
  IconTerminal2,
  IconUsers,
  IconWebhook,
  IconWorldSearch,
} from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import type { Capability } from '../../src/identity/users/schemas.ts';
import { getRequiredCapability, hasCapability } from './components/access.tsx';

export interface NavigationItem {
  to: NonNullable<LinkProps['to']>;
  label: string;
  icon: Icon;
  /** Hidden from users with this capability: another page links to it. */
  unless?: Capability;
}

const NAVIGATION: readonly { title: string; links: readonly NavigationItem[] }[] = [
  {
    title: 'Monitor',
    links: [
      { to: '/', label: 'Overview', icon: IconLayoutDashboard },
      { to: '/scanner', label: 'Scanner', icon: IconWorldSearch },
      { to: '/requests', label: 'Requests', icon: IconInbox },
    ],
  },
  {
    title: 'Consent',
    links: [
      { to: '/consent', label: 'Records', icon: IconShieldCheck },
      {
        to: '/consent/figures',
        label: 'Statistics',
        icon: IconChartBar,
        unless: 'manage_options',
      },
      { to: '/consent/log', label: 'Consent log', icon: IconBinaryTree },
      { to: '/banner', label: 'Banner', icon: IconCookie },
      { to: '/scripts', label: 'Scripts', icon: IconCode },
      { to: '/declaration', label: 'Declaration', icon: IconFileText },
    ],
  },
  {
    title: 'Record of processing',
    links: [
      { to: '/vendors', label: 'Vendors', icon: IconBuildingStore },
      { to: '/data-map', label: 'Data map', icon: IconSitemap },
      { to: '/retention', label: 'Retention', icon: IconHourglass },
    ],
  },
  {
    title: 'Customers',
    links: [
      { to: '/licences', label: 'Licences', icon: IconLicense },
      { to: '/products', label: 'Products', icon: IconPackage },
    ],
  },
  {
    title: 'Settings',
    links: [
      { to: '/settings', label: 'Settings', icon: IconSettings },
      { to: '/users', label: 'Users', icon: IconUsers },
      { to: '/webhooks', label: 'Webhooks', icon: IconWebhook },
      { to: '/security-log', label: 'Security log', icon: IconShieldLock },
      { to: '/system', label: 'Operations', icon: IconHeartbeat },
      { to: '/developer', label: 'Developer', icon: IconTerminal2 },
    ],
  },
];

interface User {
  capabilities: readonly string[];
}

/** The groups of pages that a user can open, without empty groups. */
export const getNavigation = (user: User) =>
  NAVIGATION.map(({ title, links }) => ({
    title,
    links: links.filter(
      ({ to, unless }) =>
        hasCapability(user, getRequiredCapability(to)) && !(unless && hasCapability(user, unless)),
    ),
  })).filter(({ links }) => links.length > 0);

/** The first page that a user can open, or their account. */
export const getHomePage = (user: User): NavigationItem['to'] =>
  getNavigation(user)[0]?.links[0]?.to ?? '/profile';
