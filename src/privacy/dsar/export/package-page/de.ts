import type { PackageWords } from './words.ts';

const UNITS = { days: ['Tag', 'Tage'], months: ['Monat', 'Monate'], years: ['Jahr', 'Jahre'] };

export const de: PackageWords = {
  title: (reference) => `Ihre Daten, ${reference}`,
  lead: (site, day) => `Die personenbezogenen Daten, die ${site} über Sie hat, Stand ${day}.`,
  times: (zone) => `Uhrzeiten gelten in der Zeitzone ${zone}.`,
  controller: { title: 'Verantwortlicher', dpo: 'Datenschutzbeauftragte Person' },
  contents: 'Inhalt',
  records: (n) => `${n} ${n === 1 ? 'Eintrag' : 'Einträge'}`,
  record: (n) => `Eintrag ${n}`,
  nothing: 'Hier haben wir nichts über Sie:',
  leftOut: (reason) => `Ausgelassen: ${reason}`,
  byHand:
    'Diesen Teil beantworten unsere Mitarbeitenden. Was sie Ihnen schicken, ist nicht in diesem Paket.',
  first: (shown, all) =>
    `Diese Seite zeigt die ersten ${shown} von ${all} Einträgen. In den Dateien sind alle.`,
  files: {
    title: 'Dateien',
    text: 'Neben dieser Seite liegen dieselben Daten als Dateien: data.json für Programme, und für jeden Teil eine Tabelle im Ordner „sources“, die Sie mit einer Tabellenkalkulation öffnen können.',
  },
  retention: {
    rule: ({ action, periodValue, periodUnit }, from) =>
      `${action === 'delete' ? 'Löschung' : 'Anonymisierung'}: ${periodValue} ${UNITS[periodUnit][periodValue === 1 ? 0 : 1]} nach ${from}.`,
    from: {
      activation_history: 'Deaktivierung der Website',
      audit_log: 'dem Ereignis',
      consent_records: 'Ablauf der Entscheidung',
      customers: 'dem Ende Ihrer letzten Lizenz',
      dsar_cases: 'Abschluss des Anliegens',
      dsar_events: 'Abschluss des Anliegens',
      outbox_mail: 'Versand der E-Mail',
      purchases: 'dem Ende des Kalenderjahres der letzten Zahlung',
      user_log: 'dem Ereignis',
      security_log: 'dem Ereignis',
    },
    criteria: {
      activation_history: 'Aufbewahrt, solange es Ihr Kundenkonto gibt.',
      application_passwords:
        'Aufbewahrt, bis das Passwort widerrufen oder das Konto gelöscht wird.',
      checkout_orders: 'Löschung: 30 Tage nach Beginn der Bestellung.',
      customers: 'Aufbewahrt, solange Sie eine Lizenz haben.',
      licences: 'Aufbewahrt, solange es Ihr Kundenkonto gibt.',
      sign_in_links: 'Löschung: sobald der Link benutzt wird oder nachdem er abgelaufen ist.',
      user_sessions: 'Löschung: nach dem Ende der Sitzung.',
      users: 'Aufbewahrt, bis ein Administrator das Konto löscht.',
    },
    notSet: 'Es ist keine feste Frist gesetzt. Fragen Sie uns nach den Kriterien.',
  },
  processing: {
    title: 'Was wir verarbeiten und wozu',
    lead: 'Alle Verarbeitungen personenbezogener Daten auf dieser Website. Nicht jeder Eintrag betrifft Sie.',
    legalBasis: 'Rechtsgrundlage',
    dataCategories: 'Kategorien von Daten',
    dataSubjects: 'Betroffene Personen',
    recipients: 'Empfänger',
    thirdCountries: 'Übermittlung in Drittländer',
    safeguards: 'Garantien für diese Übermittlung',
    retentionPeriod: 'Speicherdauer',
    dataSource: 'Herkunft der Daten',
    automatedDecisions: 'Automatisierte Entscheidungen einschließlich Profiling',
    notStated: 'Nicht angegeben, bitte fragen Sie uns',
  },
  rights: {
    title: 'Ihre Rechte',
    list: [
      'Sie können verlangen, dass wir falsche Daten berichtigen und unvollständige ergänzen.',
      'Sie können verlangen, dass wir Ihre Daten löschen oder ihre Verarbeitung einschränken.',
      'Sie können einer Verarbeitung widersprechen, die auf berechtigten Interessen oder einer öffentlichen Aufgabe beruht, und jederzeit der Direktwerbung.',
      'Sie können die Daten, die Sie uns gegeben haben, in einer Form verlangen, die Programme lesen können.',
      'Sie können eine Einwilligung jederzeit widerrufen. Was vorher geschah, bleibt rechtmäßig.',
    ],
    complaint:
      'Sie können sich bei einer Datenschutzaufsichtsbehörde beschweren, insbesondere dort, wo Sie leben oder arbeiten oder wo aus Ihrer Sicht gegen das Recht verstoßen wurde.',
    how: 'Anfrage senden',
  },
};
