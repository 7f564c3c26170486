import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Datenschutz-Einstellungen',
  message:
    'Diese Website verwendet Cookies und ähnliche Technologien. Einige sind für den Betrieb der Website unbedingt erforderlich. Mit Ihrer Einwilligung können diese Website und Dienste von Drittanbietern sie außerdem einsetzen, um die Nutzung der Website zu messen (Analyse), Ihnen relevante Werbung zu zeigen (Marketing) und Inhalte an Ihre Interessen anzupassen (Personalisierung). Sie können Ihre Einwilligung jederzeit ändern oder widerrufen.',
  opt_out_message:
    'Diese Website und Drittanbieter verwenden Cookies und ähnliche Technologien, um Besuche zu messen, passende Werbung zu zeigen und Inhalte zu personalisieren. Sie können jederzeit widersprechen, auch jedem Verkauf und jeder Weitergabe Ihrer personenbezogenen Daten.',
  opt_out_text: 'Ihre Datenschutz-Auswahl',
  opted_out_text: 'Widerspruch berücksichtigt',
  own_use_text:
    'Bereits aktiv: {categories}. Diese Website nutzt diese Daten nur für sich selbst. Sie können das jederzeit abschalten.',
  accept_text: 'Alle akzeptieren',
  reject_text: 'Alle ablehnen',
  manage_text: 'Einstellungen verwalten',
  save_text: 'Einstellungen speichern',
  privacy_text: 'Datenschutzerklärung',
  receipt_text: 'Einwilligungsbeleg herunterladen',
  consent_id_text: 'Einwilligungs-ID',
  consent_id_help_text:
    'Geben Sie diese ID an, wenn Sie sich wegen Ihrer Auswahl an den Betreiber dieser Website wenden.',
  withdraw_text: 'Einwilligung widerrufen',
  vendors_text: 'Dienste und Cookies',
  session_text: 'bis Sie den Browser schließen',
  until_deleted_text: 'bis zur Löschung',
  typical_text: '{duration} (üblich)',
  reopen_text: 'Datenschutz-Einstellungen',
  required_text: 'Immer aktiv',
  placeholder_text: 'Dieser Inhalt wird von {host} bereitgestellt und kann Daten über Sie erheben.',
  load_text: 'Einmal laden',
  always_text: '{category} immer zulassen',
  shared_text:
    'Wenn Sie angemeldet sind, gilt Ihre Auswahl auch auf Ihren anderen Geräten, auf denen Sie angemeldet sind.',
  always_vendor_text: '{vendor} immer zulassen',
  categories: {
    functional: {
      label: 'Unbedingt erforderlich',
      description:
        'Für den Betrieb der Website erforderlich, zum Beispiel um Ihre Datenschutz-Einstellungen zu speichern oder Sie angemeldet zu halten. Diese Kategorie kann nicht abgeschaltet werden.',
    },
    analytics: {
      label: 'Analyse',
      description: 'Misst Besuche und die Nutzung der Website, um sie zu verbessern.',
    },
    marketing: {
      label: 'Marketing',
      description:
        'Zeigt Ihnen relevante Werbung und misst deren Erfolg. Anbieter können dafür Daten über mehrere Websites hinweg zusammenführen.',
    },
    personalisation: {
      label: 'Personalisierung',
      description: 'Merkt sich Ihre Vorlieben und passt Inhalte an Ihre Interessen an.',
    },
  },
} satisfies LanguageTexts;
