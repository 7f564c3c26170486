/** A licence stores the name of its tier. The features are looked up when needed. */
const TIERS = {
  starter: { sitesAllowed: 1, developmentSitesFree: false, features: ['dsar'] },
  pro: {
    sitesAllowed: 3,
    developmentSitesFree: false,
    features: ['dsar', 'retention', 'reporting', 'advanced_integrations'],
  },
  agency: {
    sitesAllowed: 25,
    developmentSitesFree: false,
    features: ['dsar', 'retention', 'reporting', 'advanced_integrations', 'white_label'],
  },
} as const satisfies Record<
  string,
  { sitesAllowed: number; developmentSitesFree: boolean; features: readonly string[] }
>;

export type Tier = keyof typeof TIERS;

export const TIER_NAMES = Object.keys(TIERS) as Tier[];

/** Sites per package. A licence can override it. */
export const getTierSites = (tier: Tier): number => TIERS[tier].sitesAllowed;

/** Whether development sites use no activation slot. A licence can override it. */
export const hasFreeDevelopmentSites = (tier: Tier): boolean => TIERS[tier].developmentSitesFree;

/** For example "Pro". */
export const getTierLabel = (tier: Tier): string => tier.charAt(0).toUpperCase() + tier.slice(1);

export const getTierFeatures = (tier: Tier): string[] => [...TIERS[tier].features];
