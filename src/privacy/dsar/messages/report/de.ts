import type { KeepingGround } from '../../../../personal-data/index.ts';
import { formatDay } from '../../../../platform/clock.ts';
import { de as terms } from '../../export/package-page/terms/de.ts';
import type { ReportWords } from './words.ts';

/** As `Art. 17 Abs. 3 Buchst. b`. */
const inGerman = (article: string): string =>
  article
    .replace(/\((\d+)\)/g, ' Abs. $1')
    .replace(/\(([a-z])\)/g, ' Buchst. $1')
    .replaceAll(' and ', ' und ');

export const de: ReportWords = {
  labels: terms.sources,
  grounds: {
    identity: 'Wir konnten Ihre Identität nicht feststellen',
    clarification: 'Wir brauchen weitere Angaben von Ihnen',
    legal_hold: 'Wir müssen die Daten für ein rechtliches Verfahren unverändert aufbewahren',
    unfounded: 'Die Anfrage ist offenkundig unbegründet',
    excessive: 'Die Anfrage ist exzessiv, zum Beispiel weil sie eine frühere wiederholt',
    no_data: 'Wir haben keine personenbezogenen Daten über Sie',
    not_controller:
      'Wir sind für diese Daten nicht verantwortlich: Jemand anderes entscheidet über ihre Verwendung',
    still_needed: 'Die Daten sind für den Zweck, für den sie erhoben wurden, noch notwendig',
    freedom_of_expression:
      'Die Daten sind zur Ausübung des Rechts auf freie Meinungsäußerung und Information erforderlich',
    legal_obligation: 'Das Gesetz verpflichtet uns, die Daten aufzubewahren',
    public_health:
      'Die Daten sind aus Gründen des öffentlichen Interesses im Bereich der öffentlichen Gesundheit erforderlich',
    archiving:
      'Die Daten sind für Archivzwecke im öffentlichen Interesse, für Forschung oder für Statistik erforderlich',
    legal_claims:
      'Die Daten sind zur Geltendmachung, Ausübung oder Verteidigung von Rechtsansprüchen erforderlich',
    compelling_grounds:
      'Wir haben zwingende schutzwürdige Gründe für die Verarbeitung, die Ihre Interessen, Rechte und Freiheiten überwiegen',
    rights_of_others: 'Die Antwort würde die Rechte und Freiheiten anderer beeinträchtigen',
    exemption: 'Es gilt eine gesetzliche Ausnahme',
  },
  keptReasons: {
    in_use: 'noch nicht abgeschlossen',
    contract: 'nötig für eine Lizenz, die weder abgelaufen noch widerrufen ist',
    open_order: 'nötig für eine Bestellung, die noch offen ist',
    open_request: 'nötig, um ein Anliegen zu beantworten',
    legal_hold: 'gesperrt für einen Rechtsstreit oder eine Prüfung',
    evidence: 'Nachweis darüber, was getan wurde, und nötig für Rechtsansprüche',
    statutory_retention: 'Steuer- und Handelsrecht verpflichten uns, es aufzubewahren',
    console_account: 'Teil eines Mitarbeiterkontos, über das ein Administrator entscheidet',
  } satisfies Record<KeepingGround, string>,
  until: (day) => `bis ${formatDay('de', day)}`,
  law: (article) => `${inGerman(article)} DSGVO`,
  erased: (count) => `${count} gelöscht`,
  anonymised: (count) => `${count} anonymisiert`,
  kept: (count, why) => `${count} behalten (${why})`,
  records: (count) =>
    count === 0 ? 'keine Daten gefunden' : count === 1 ? '1 Datensatz' : `${count} Datensätze`,
  notErased: 'Nicht gelöscht.',
  leftOut: 'Ausgelassen.',
  byHand: 'von Hand bearbeitet',
  done: 'Das haben wir getan:',
  nothingIn: 'Keine Daten über Sie fanden wir in:',
  erasure: {
    nothing: 'Wir haben keine personenbezogenen Daten über Sie gefunden.',
    all: 'Wir haben die personenbezogenen Daten, die wir über Sie gefunden haben, gelöscht oder anonymisiert:',
    part: 'Wir haben einen Teil Ihrer personenbezogenen Daten gelöscht oder anonymisiert. Den Rest haben wir aus den hier genannten Gründen behalten:',
    none: 'Wir haben Ihre personenbezogenen Daten aus den hier genannten Gründen nicht gelöscht:',
    request:
      'Sobald diese E-Mail versendet ist, entfernen wir Ihren Namen, Ihre Kontaktdaten und Ihre Nachricht aus diesem Anliegen. Wir behalten sein Aktenzeichen, seine Daten und was getan wurde, um nachzuweisen, wie wir es beantwortet haben.',
  },
  noPackage: 'Wir senden Ihnen keine Datei mit Ihren Daten.',
  notDone: {
    rectification: 'Wir haben Ihre Daten nicht berichtigt.',
    objection: 'Wir haben an der Verwendung Ihrer Daten nichts geändert.',
  },
};
