import { ASK_AGAIN_REASONS, type SiteSettings } from './schemas.ts';

/** What holds until somebody changes it. */
export const defaultSettings = (siteUrl: string): SiteSettings => ({
  consent: {
    enabled: true,
    position: 'bottom',
    title: 'Your privacy',
    message:
      'Some parts of this site use cookies and services of others: to count visits, to show adverts that fit you, and to remember what you like. You decide which.',
    accept_text: 'Accept all',
    reject_text: 'Reject all',
    manage_text: 'Choose',
    save_text: 'Save choice',
    privacy_text: 'Privacy notice',
    reopen_text: 'Privacy choices',
    required_text: 'Always on',
    placeholder_text: 'This part of the page comes from {host}, who would learn of your visit.',
    load_text: 'Show it this once',
    expiry_days: 365,
    privacy_url: `${siteUrl}/privacy/`,
    languages: ['en'],
    translations: [],
    categories: [
      {
        id: 'functional',
        label: 'Functional',
        description: 'Needed for the site to work.',
        required: true,
      },
      {
        id: 'analytics',
        label: 'Analytics',
        description: 'Counts visits and shows how the site is used.',
        required: false,
      },
      {
        id: 'marketing',
        label: 'Marketing',
        description: 'Shows adverts that fit you, here and elsewhere.',
        required: false,
      },
      {
        id: 'personalisation',
        label: 'Personalisation',
        description: 'Remembers what you like.',
        required: false,
      },
    ],
    ask_again_on: [...ASK_AGAIN_REASONS],
  },
  dsar: { enabled: true, regime: 'gdpr', auto_erase: false },
  mail: { from_name: '', reply_to: '' },
  controller: { name: '', address: '', email: '', dpo_name: '', dpo_email: '' },
  origins: { allowed: [] },
  scanner: { max_pages: 200, concurrency: 2, ignore_robots: false, necessary_vendors: [] },
});
