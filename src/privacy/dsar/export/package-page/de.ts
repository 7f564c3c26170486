import type { PackageTexts } from './en.ts';

const UNITS = { days: ['Tag', 'Tage'], months: ['Monat', 'Monate'], years: ['Jahr', 'Jahre'] };

const GDPR_RIGHTS = [
  'Berichtigung: Sie können verlangen, dass wir unrichtige Daten berichtigen und unvollständige vervollständigen.',
  'Löschung und Einschränkung: Sie können verlangen, dass wir Ihre Daten löschen oder ihre Verarbeitung einschränken.',
  'Widerspruch: Sie können einer Verarbeitung widersprechen, die auf berechtigten Interessen oder einer öffentlichen Aufgabe beruht, und jederzeit der Direktwerbung.',
  'Datenübertragbarkeit: Sie können die Daten, die Sie uns bereitgestellt haben, in einem maschinenlesbaren Format verlangen.',
  'Widerruf der Einwilligung: Sie können eine Einwilligung jederzeit widerrufen. Die Verarbeitung bis zum Widerruf bleibt rechtmäßig.',
];

export const de: PackageTexts = {
  title: (reference) => `Ihre Daten, ${reference}`,
  lead: (organisation, day) =>
    `Ihre personenbezogenen Daten, die ${organisation} verarbeitet, Stand ${day}.`,
  times: (zone) => `Uhrzeiten gelten in der Zeitzone ${zone}.`,
  controller: { title: 'Verantwortlicher', dpo: 'Datenschutzbeauftragte Person' },
  contents: 'Inhalt',
  records: (n) => `${n} ${n === 1 ? 'Eintrag' : 'Einträge'}`,
  record: (n) => `Eintrag ${n}`,
  nothing: 'Keine Daten über Sie haben wir in:',
  leftOut: (reason) => `Ausgelassen: ${reason}`,
  byHand: 'Diesen Teil beantworten wir gesondert. Er ist nicht in diesem Paket enthalten.',
  first: (shown, all) =>
    `Diese Seite zeigt die ersten ${shown} von ${all} Einträgen. Die Dateien enthalten alle.`,
  files: {
    title: 'Dateien',
    text: 'Dieser Ordner enthält dieselben Daten in maschinenlesbarer Form: data.json und im Ordner „sources“ eine Tabelle je Teil, die Sie mit einer Tabellenkalkulation öffnen können.',
  },
  receipts: {
    title: 'Belege über Ihre Einwilligungsentscheidungen',
    issued: (n) =>
      `Der Ordner „receipts“ enthält ${n === 1 ? 'einen Beleg' : `${n} Belege, jeweils`} mit dem Nachweis, dass die Entscheidung in unserem Einwilligungsprotokoll steht.`,
    check:
      'Um einen Beleg zu prüfen, öffnen Sie receipt-verifier.html aus diesem Ordner in einem Browser und wählen den Beleg aus. Das geht ohne Verbindung.',
    notLogged: (n) =>
      `Zu ${n === 1 ? 'einer Entscheidung' : `${n} Entscheidungen`} gibt es keinen Beleg, weil sie noch nicht im Einwilligungsprotokoll ${n === 1 ? 'steht' : 'stehen'}. Bitten Sie uns um eine neue Kopie dieses Pakets.`,
    altered: (n) =>
      `Zu ${n === 1 ? 'einer Entscheidung' : `${n} Entscheidungen`} gibt es keinen Beleg, weil die Aufzeichnung von dem abweicht, was protokolliert wurde.`,
    unproven: (n) =>
      `Zu ${n === 1 ? 'einer Entscheidung' : `${n} Entscheidungen`} gibt es keinen Beleg, weil unser Einwilligungsprotokoll beschädigt ist.`,
  },
  retention: {
    rule: ({ action, periodValue, periodUnit }, from) =>
      `${action === 'delete' ? 'Löschung' : 'Anonymisierung'}: ${periodValue} ${UNITS[periodUnit][periodValue === 1 ? 0 : 1]} nach ${from}.`,
    from: {
      activation_history: 'Deaktivierung der Website',
      audit_log: 'dem Ereignis',
      consent_records: 'Ablauf der Einwilligung',
      customers: 'dem Ende Ihrer letzten Lizenz',
      dsar_cases: 'Abschluss des Antrags',
      dsar_events: 'Abschluss des Antrags',
      outbox_mail: 'Versand der E-Mail',
      purchases: 'dem Ende des Kalenderjahres der letzten Zahlung',
      user_log: 'dem Ereignis',
      security_log: 'dem Ereignis',
      webhook_events: 'dem Ereignis',
    },
    criteria: {
      activation_history: 'Aufbewahrt, solange es Ihr Kundenkonto gibt.',
      application_passwords:
        'Aufbewahrt, bis das Passwort widerrufen oder das Konto gelöscht wird.',
      authenticator_apps: 'Aufbewahrt, bis die App entfernt oder das Konto gelöscht wird.',
      checkout_orders: 'Löschung: 30 Tage nach Beginn der Bestellung.',
      consent_subjects: 'Löschung: mit dem Ablauf der Einwilligung.',
      customers: 'Aufbewahrt, solange Sie eine Lizenz haben.',
      licences: 'Aufbewahrt, solange es Ihr Kundenkonto gibt.',
      password_resets:
        'Löschung: sobald ein neues Passwort gesetzt wird oder nachdem der Link abgelaufen ist.',
      passkeys: 'Aufbewahrt, bis der Passkey entfernt oder das Konto gelöscht wird.',
      sign_in_links: 'Löschung: sobald der Link benutzt wird oder nachdem er abgelaufen ist.',
      user_identities:
        'Löschung: mit Ihrem Benutzerkonto, oder wenn ein Administrator die Verknüpfung aufhebt oder Ihre E-Mail-Adresse ändert.',
      user_sessions: 'Löschung: nach dem Ende der Sitzung.',
      users: 'Aufbewahrt, bis ein Administrator das Konto löscht.',
    },
    notSet: 'Es ist keine feste Frist gesetzt. Die Kriterien nennen wir Ihnen auf Anfrage.',
  },
  processing: {
    title: 'Verarbeitungstätigkeiten',
    lead: 'Alle Verarbeitungen personenbezogener Daten auf dieser Website. Nicht jede betrifft Sie.',
    legalBasis: 'Rechtsgrundlage',
    dataCategories: 'Kategorien personenbezogener Daten',
    dataSubjects: 'Betroffene Personen',
    recipients: 'Empfänger',
    thirdCountries: 'Übermittlung in Drittländer',
    safeguards: 'Geeignete Garantien für diese Übermittlung',
    retentionPeriod: 'Speicherdauer',
    dataSource: 'Herkunft der Daten',
    automatedDecisions: 'Automatisierte Entscheidungsfindung einschließlich Profiling',
    notStated: 'Nicht angegeben, bitte wenden Sie sich an uns',
  },
  rights: {
    title: 'Ihre Rechte',
    gdpr: {
      list: GDPR_RIGHTS,
      complaint: () =>
        'Sie können sich bei einer Datenschutzaufsichtsbehörde beschweren, insbesondere dort, wo Sie leben oder arbeiten oder wo Ihrer Ansicht nach gegen das Recht verstoßen wurde.',
    },
    uk: {
      list: GDPR_RIGHTS,
      complaint: (contact) =>
        `Sie können sich${contact && ` unter ${contact}`} bei uns beschweren. Sie können sich auch beim Information Commissioner beschweren.`,
    },
    ccpa: {
      list: [
        'Auskunft: Sie können verlangen, dass wir Ihnen mitteilen, welche personenbezogenen Daten wir erheben, verwenden, weitergeben und verkaufen, und eine übertragbare Kopie verlangen.',
        'Löschung: Sie können verlangen, dass wir personenbezogene Daten löschen, die wir bei Ihnen erhoben haben.',
        'Berichtigung: Sie können verlangen, dass wir unrichtige personenbezogene Daten berichtigen.',
        'Opt-out: Sie können jederzeit verlangen, dass wir Ihre personenbezogenen Daten nicht verkaufen und nicht für Werbung weitergeben.',
      ],
      complaint: () =>
        'Sie können sich bei der California Privacy Protection Agency oder beim Attorney General von Kalifornien beschweren.',
    },
    how: 'Antrag stellen',
  },
};
