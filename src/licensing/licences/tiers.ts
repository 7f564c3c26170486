/** What is sold. A licence keeps its tier's name; what the tier gives is looked up when asked. */
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

/** How many sites a licence of the tier is for, unless it says otherwise itself. */
export const getTierSites = (tier: Tier): number => TIERS[tier].sitesAllowed;

/** Whether development sites take no slot of a licence of the tier, unless it says otherwise itself. */
export const hasFreeDevelopmentSites = (tier: Tier): boolean => TIERS[tier].developmentSitesFree;

export const getTierFeatures = (tier: Tier): string[] => [...TIERS[tier].features];
