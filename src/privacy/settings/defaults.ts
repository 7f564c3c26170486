import { ASK_AGAIN_REASONS, type ConsentConfig } from './banner/schemas.ts';
import type { SiteSettings } from './schemas.ts';

const GERMAN: ConsentConfig['translations'][number] = {
  language: 'de',
  title: 'Datenschutz-Einstellungen',
  message:
    'Diese Website verwendet Cookies und ähnliche Technologien. Einige sind für den Betrieb der Website unbedingt erforderlich. Mit Ihrer Einwilligung können diese Website und Dienste von Drittanbietern sie außerdem einsetzen, um die Nutzung der Website zu messen (Analyse), Ihnen relevante Werbung zu zeigen (Marketing) und Inhalte an Ihre Interessen anzupassen (Personalisierung). Sie können Ihre Einwilligung jederzeit ändern oder widerrufen.',
  accept_text: 'Alle akzeptieren',
  reject_text: 'Alle ablehnen',
  manage_text: 'Einstellungen verwalten',
  save_text: 'Einstellungen speichern',
  privacy_text: 'Datenschutzerklärung',
  receipt_text: 'Einwilligungsbeleg herunterladen',
  reopen_text: 'Datenschutz-Einstellungen',
  required_text: 'Immer aktiv',
  placeholder_text: 'Dieser Inhalt wird von {host} bereitgestellt und kann Daten über Sie erheben.',
  load_text: 'Einmal laden',
  always_text: '{category} immer zulassen',
  categories: [
    {
      id: 'functional',
      label: 'Unbedingt erforderlich',
      description:
        'Für den Betrieb der Website erforderlich, zum Beispiel um Ihre Datenschutz-Einstellungen zu speichern oder Sie angemeldet zu halten. Diese Kategorie kann nicht abgeschaltet werden.',
    },
    {
      id: 'analytics',
      label: 'Analyse',
      description: 'Misst Besuche und die Nutzung der Website, um sie zu verbessern.',
    },
    {
      id: 'marketing',
      label: 'Marketing',
      description:
        'Zeigt Ihnen relevante Werbung und misst deren Erfolg. Anbieter können dafür Daten über mehrere Websites hinweg zusammenführen.',
    },
    {
      id: 'personalisation',
      label: 'Personalisierung',
      description: 'Merkt sich Ihre Vorlieben und passt Inhalte an Ihre Interessen an.',
    },
  ],
};

/**
 * The settings of a new installation. The texts state each purpose and the right to withdraw (GDPR Art. 4(11) and
 * 7(3)). They are stored as version 1 when the banner is first shown, so a change here does not affect installations
 * that have shown it.
 */
export const defaultSettings = (siteUrl: string): SiteSettings => ({
  consent: {
    enabled: true,
    position: 'bottom',
    title: 'Your privacy',
    message:
      'This website uses cookies and similar technologies. Some are strictly necessary for it to work. With your consent, this website and third-party services may also use them to measure how the website is used (analytics), to show you relevant advertising (marketing) and to adapt content to your interests (personalisation). You can change or withdraw your consent at any time.',
    accept_text: 'Accept all',
    reject_text: 'Reject all',
    manage_text: 'Manage preferences',
    save_text: 'Save preferences',
    privacy_text: 'Privacy policy',
    receipt_text: 'Download my consent receipt',
    reopen_text: 'Privacy choices',
    required_text: 'Always active',
    placeholder_text: 'This content is provided by {host} and may collect data about you.',
    load_text: 'Load once',
    always_text: 'Always allow {category}',
    expiry_days: 365,
    privacy_url: `${siteUrl}/privacy/`,
    languages: ['en', 'de'],
    translations: [GERMAN],
    categories: [
      {
        id: 'functional',
        label: 'Strictly necessary',
        description:
          'Required for the website to work, for example to remember your privacy choices or to keep you signed in. This category cannot be switched off.',
        required: true,
      },
      {
        id: 'analytics',
        label: 'Analytics',
        description: 'Measures visits and how the website is used, so that it can be improved.',
        required: false,
      },
      {
        id: 'marketing',
        label: 'Marketing',
        description:
          'Shows you relevant advertising and measures its effect. Providers may combine this data across websites.',
        required: false,
      },
      {
        id: 'personalisation',
        label: 'Personalisation',
        description: 'Remembers your preferences and adapts content to your interests.',
        required: false,
      },
    ],
    ask_again_on: [...ASK_AGAIN_REASONS],
  },
  dsar: { enabled: true, regime: 'gdpr', auto_erase: false },
  mail: { from_name: '', reply_to: '' },
  controller: { name: '', address: '', email: '', dpo_name: '', dpo_email: '' },
  origins: { allowed: [] },
  scanner: {
    max_pages: 200,
    concurrency: 2,
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
