import type { KeepingGround } from '../../../../personal-data/index.ts';
import { formatDay } from '../../../../platform/clock.ts';
import { de as terms } from '../../export/package-page/terms/terms.ts';
import type { ReportTexts } from './en.ts';

/** `Art. 17(3)(b) and (e)` as `Art. 17 Abs. 3 Buchst. b und e`. */
const formatArticle = (article: string): string =>
  article
    .replace(/ and \(([a-z])\)/g, ' und $1')
    .replace(/\((\d+)\)/g, ' Abs. $1')
    .replace(/\(([a-z])\)/g, ' Buchst. $1')
    .replaceAll(' and ', ' und ');

export const de: ReportTexts = {
  labels: terms.sources,
  grounds: {
    identity: 'Wir konnten Ihre Identität nicht feststellen',
    clarification: 'Wir brauchen weitere Angaben von Ihnen',
    legal_hold:
      'Wir müssen die Daten wegen einer rechtlichen Sperre (Legal Hold) unverändert aufbewahren',
    unfounded: 'Der Antrag ist offenkundig unbegründet',
    excessive: 'Der Antrag ist exzessiv, zum Beispiel weil er einen früheren wiederholt',
    no_data: 'Wir verarbeiten keine personenbezogenen Daten über Sie',
    not_controller:
      'Wir sind für diese Daten nicht Verantwortlicher im Sinne der Datenschutzgesetze',
    still_needed: 'Die Daten sind für den Zweck, für den sie erhoben wurden, weiterhin notwendig',
    freedom_of_expression:
      'Die Verarbeitung ist zur Ausübung des Rechts auf freie Meinungsäußerung und Information erforderlich',
    legal_obligation: 'Wir sind gesetzlich verpflichtet, die Daten aufzubewahren',
    public_health:
      'Die Verarbeitung ist aus Gründen des öffentlichen Interesses im Bereich der öffentlichen Gesundheit erforderlich',
    archiving:
      'Die Verarbeitung ist für Archivzwecke im öffentlichen Interesse, für Forschung oder für Statistik erforderlich',
    legal_claims:
      'Die Verarbeitung ist zur Geltendmachung, Ausübung oder Verteidigung von Rechtsansprüchen erforderlich',
    compelling_grounds:
      'Wir haben zwingende schutzwürdige Gründe für die Verarbeitung, die Ihre Interessen, Rechte und Freiheiten überwiegen',
    rights_of_others: 'Die Antwort würde die Rechte und Freiheiten anderer beeinträchtigen',
    exemption: 'Es gilt eine gesetzliche Ausnahme',
  },
  keptReasons: {
    in_use: 'noch nicht abgeschlossen',
    contract:
      'nötig, solange eine Lizenz weder abgelaufen noch widerrufen ist oder ein Abonnement sie verlängert',
    open_order: 'nötig für eine Bestellung, die noch offen ist',
    open_request: 'nötig, um einen Antrag zu beantworten',
    legal_hold: 'gesperrt für einen Rechtsstreit oder eine Prüfung',
    evidence: 'Nachweis darüber, was getan wurde, und nötig für Rechtsansprüche',
    statutory_retention: 'Steuer- und Handelsrecht verpflichten uns, es aufzubewahren',
    console_account: 'Teil eines Mitarbeiterkontos, über das ein Administrator entscheidet',
  } satisfies Record<KeepingGround, string>,
  until: (day) => `bis ${formatDay('de', day)}`,
  law: (article) => `${formatArticle(article)} DSGVO`.replace(' UK ', ' UK-'),
  erased: (count) => `${count} gelöscht`,
  anonymised: (count) => `${count} anonymisiert`,
  kept: (count, why) => `${count} aufbewahrt (${why})`,
  records: (count) => (count === 1 ? '1 Datensatz' : `${count} Datensätze`),
  notErased: 'Nicht gelöscht.',
  skipped: 'Ausgelassen.',
  byHand: 'Manuell bearbeitet',
  done: 'Das haben wir getan:',
  nothingIn: 'Keine Daten über Sie gefunden in:',
  erasure: {
    nothing: 'Wir haben keine personenbezogenen Daten über Sie gefunden.',
    all: 'Wir haben die personenbezogenen Daten, die wir über Sie gefunden haben, gelöscht oder anonymisiert:',
    part: 'Wir haben einen Teil Ihrer personenbezogenen Daten gelöscht oder anonymisiert. Den Rest haben wir aus den folgenden Gründen aufbewahrt:',
    before:
      'Folgendes hatten wir für Ihren Antrag bereits getan. Gelöschte Daten können nicht wiederhergestellt werden:',
    none: 'Wir haben Ihre personenbezogenen Daten aus den folgenden Gründen nicht gelöscht:',
    request:
      'Sobald diese E-Mail versendet ist, entfernen wir Ihren Namen, Ihre Kontaktdaten und Ihre Nachricht aus diesem Antrag. Wir bewahren sein Aktenzeichen, seine Datumsangaben und das Ergebnis auf, um nachzuweisen, wie wir ihn beantwortet haben.',
    requestWithoutEmail:
      'Wir entfernen Ihren Namen, Ihre Kontaktdaten und Ihre Nachricht aus diesem Antrag 30 Tage nach seinem Abschluss. Wir bewahren sein Aktenzeichen, seine Datumsangaben und das Ergebnis auf, um nachzuweisen, wie wir ihn beantwortet haben.',
  },
  noPackage: 'Wir senden Ihnen keine Datei mit Ihren Daten.',
  notDone: {
    rectification: 'Wir haben Ihre Daten nicht berichtigt.',
    objection: 'Wir haben an der Verwendung Ihrer Daten nichts geändert.',
  },
};
