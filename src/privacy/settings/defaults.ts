import { DEFAULT_APPEARANCE } from './banner/appearance/rules.ts';
import { toTranslation } from './banner/languages/index.ts';
import { DEFAULT_CATEGORIES } from './banner/languages/schemas.ts';
import { texts as german } from './banner/languages/texts/de.ts';
import { texts as english } from './banner/languages/texts/en.ts';
import { ASK_AGAIN_REASONS } from './banner/schemas.ts';
import type { SiteSettings } from './schemas.ts';

const { categories: ENGLISH_CATEGORIES, ...ENGLISH } = english;

/**
 * The settings of a new installation. The texts state each purpose and the right to withdraw (GDPR Art. 4(11) and
 * 7(3)). They are stored as version 1 when the banner is first shown, so a change here does not affect installations
 * that have shown it.
 */
export const defaultSettings = (restRoot: string): SiteSettings => ({
  consent: {
    enabled: true,
    position: 'bottom',
    appearance: DEFAULT_APPEARANCE,
    ...ENGLISH,
    expiry_days: 365,
    refused_until_days: 182,
    regimes: { mode: 'opt_in_everywhere', overrides: [] },
    // The page with the request form: only the owner knows the address of the policy.
    privacy_url: `${new URL(restRoot).origin}/privacy/`,
    languages: ['en', 'de'],
    translations: [toTranslation('de', german)],
    categories: DEFAULT_CATEGORIES.map((id) => ({
      id,
      ...ENGLISH_CATEGORIES[id],
      required: id === 'functional',
    })),
    ask_again_on: [...ASK_AGAIN_REASONS],
    vendor_choices: false,
    shared_choices: false,
    // Tags of Google use cookies unless Consent Mode denies them first.
    signals: ['google'],
  },
  dsar: { enabled: true, regime: 'gdpr', auto_erase: false },
  mail: { from_name: '', reply_to: '' },
  controller: { name: '', address: '', email: '', dpo_name: '', dpo_email: '' },
  origins: { allowed: [] },
  scanner: {
    max_pages: 200,
    concurrency: 2,
    states: ['before', 'accepted'],
    ignore_robots: false,
    necessary_vendors: [],
    schedule: {
      enabled: false,
      cron: '0 3 * * *',
      states: ['before', 'rejected', 'accepted', 'withdrawn', 'gpc'],
      depth: 1,
    },
  },
  consent_log: { public: false, witnesses: [], mail_checkpoint: true },
});
