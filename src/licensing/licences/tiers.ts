/** What is sold. A licence keeps its tier's name; what the tier gives is looked up when asked. */
const TIERS = {
  starter: { sitesAllowed: 1, features: ['dsar'] },
  pro: { sitesAllowed: 3, features: ['dsar', 'retention', 'reporting', 'advanced_integrations'] },
  agency: {
    sitesAllowed: 25,
    features: ['dsar', 'retention', 'reporting', 'advanced_integrations', 'white_label'],
  },
} as const satisfies Record<string, { sitesAllowed: number; features: readonly string[] }>;

export type Tier = keyof typeof TIERS;

export const TIER_NAMES = Object.keys(TIERS) as Tier[];

/** How many sites a licence of the tier is for, unless it says otherwise itself. */
export const sitesOf = (tier: Tier): number => TIERS[tier].sitesAllowed;

export const featuresOf = (tier: Tier): string[] => [...TIERS[tier].features];
