import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Your privacy',
  message:
    'This website uses cookies and similar technologies. Some are strictly necessary for it to work. With your consent, this website and third-party services may also use them to measure how the website is used (analytics), to show you relevant advertising (marketing) and to adapt content to your interests (personalisation). You can change or withdraw your consent at any time.',
  opt_out_message:
    'This site and third-party services use cookies and similar technologies to measure visits, show relevant ads and personalise content. You can opt out at any time, including of any sale or sharing of your personal information.',
  opt_out_text: 'Your Privacy Choices',
  opted_out_text: 'Opt-out request honored',
  own_use_text:
    'Already on: {categories}. This site uses this data only for itself. You can turn it off at any time.',
  accept_text: 'Accept all',
  reject_text: 'Reject all',
  manage_text: 'Manage preferences',
  save_text: 'Save preferences',
  privacy_text: 'Privacy policy',
  receipt_text: 'Download my consent receipt',
  consent_id_text: 'Consent ID',
  consent_id_help_text:
    'Give this ID when you contact the operator of this website about your choices.',
  withdraw_text: 'Withdraw consent',
  vendors_text: 'Services and cookies',
  session_text: 'until you close the browser',
  until_deleted_text: 'until deleted',
  typical_text: '{duration} (typical)',
  reopen_text: 'Privacy choices',
  required_text: 'Always active',
  placeholder_text: 'This content is provided by {host} and may collect data about you.',
  load_text: 'Load once',
  always_text: 'Always allow {category}',
  shared_text:
    'While you are signed in, your choice also applies on your other devices where you are signed in.',
  always_vendor_text: 'Always allow {vendor}',
  categories: {
    functional: {
      label: 'Strictly necessary',
      description:
        'Required for the website to work, for example to remember your privacy choices or to keep you signed in. This category cannot be switched off.',
    },
    analytics: {
      label: 'Analytics',
      description: 'Measures visits and how the website is used, so that it can be improved.',
    },
    marketing: {
      label: 'Marketing',
      description:
        'Shows you relevant advertising and measures its effect. Providers may combine this data across websites.',
    },
    personalisation: {
      label: 'Personalisation',
      description: 'Remembers your preferences and adapts content to your interests.',
    },
  },
} satisfies LanguageTexts;
