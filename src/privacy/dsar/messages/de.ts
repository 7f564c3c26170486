import type { EmailTexts } from './en.ts';

const LINK_TERMS = 'Der Link funktioniert einmal und ist sieben Tage gültig.';
const NOT_YOURS = `${LINK_TERMS} Wenn der Antrag nicht von Ihnen ist, brauchen Sie nichts zu tun.`;

export const de: EmailTexts = {
  language: 'de',
  greeting: 'Guten Tag,',
  // The comma of the greeting does not end a sentence in German.
  afterGreeting: (sentence) => sentence.replace(/^Wir /, 'wir '),
  dpo: 'Datenschutzbeauftragte Person',
  types: {
    access: 'Auskunft über Ihre personenbezogenen Daten',
    deletion: 'Löschung Ihrer personenbezogenen Daten',
    rectification: 'Berichtigung Ihrer personenbezogenen Daten',
    portability: 'Übertragung Ihrer personenbezogenen Daten',
    objection: 'Widerspruch gegen die Verarbeitung Ihrer personenbezogenen Daten',
  },
  optOut: 'Widerspruch gegen den Verkauf und die Weitergabe Ihrer personenbezogenen Daten',
  channels: {
    web: 'über unsere Website',
    email: 'per E-Mail',
    phone: 'telefonisch',
    letter: 'per Brief',
    in_person: 'persönlich',
    representative: 'durch eine Vertretung',
  },
  facts: {
    reference: 'Aktenzeichen',
    request: 'Antrag',
    deadline: 'Wir antworten bis',
    overdue: 'Frist abgelaufen am',
  },
  labels: {
    confirm: 'E-Mail-Adresse bestätigen',
    confirmOne: (reference) => `${reference} bestätigen`,
    status: 'Bearbeitungsstand Ihres Antrags ansehen',
    statusOfOne: 'Bearbeitungsstand eines Antrags ansehen',
    statusWithReference:
      'Bearbeitungsstand Ihres Antrags mit Aktenzeichen und dieser Adresse ansehen',
    form: 'Formular öffnen',
    newRequest: 'Neuen Antrag stellen',
    download: 'Meine Daten herunterladen',
    withdraw: 'Meinen Antrag zurückziehen',
  },
  linkTerms: (today: string) =>
    `Der Link funktioniert einmal und ist ab dem ${today} sieben Tage gültig. Die Datei enthält Ihre personenbezogenen Daten: Bewahren Sie sie sicher auf.`,
  confirm: {
    address:
      'Bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört. Bis dahin geben wir keine Daten heraus und löschen keine.',
    notNeeded: 'Diesen Antrag brauchen Sie nicht zu bestätigen. Wir bearbeiten ihn bereits.',
    terms: NOT_YOURS,
    each: 'Bestätigen Sie nur die Anträge, die Sie selbst gestellt haben. Bis dahin geben wir dafür keine Daten heraus und löschen keine. Jeder Link funktioniert einmal und ist sieben Tage gültig. Wenn keiner der Anträge von Ihnen ist, brauchen Sie nichts zu tun.',
  },
  remedies: {
    gdpr: () =>
      'Wenn Sie nicht einverstanden sind, können Sie sich bei einer Datenschutzaufsichtsbehörde beschweren oder einen gerichtlichen Rechtsbehelf einlegen.',
    uk: (contact) =>
      `Wenn Sie nicht einverstanden sind, können Sie sich${contact && ` unter ${contact}`} bei uns beschweren. Sie können sich auch beim Information Commissioner beschweren und einen gerichtlichen Rechtsbehelf einlegen.`,
    ccpa: () =>
      'Wenn Sie nicht einverstanden sind, können Sie sich bei der California Privacy Protection Agency oder beim Attorney General von Kalifornien beschweren.',
  },
  answer: {
    byEmail: 'Bitte antworten Sie auf diese E-Mail.',
    byLetter: (reference, address) =>
      `Bitte antworten Sie per Brief und nennen Sie das Aktenzeichen ${reference}. Schreiben Sie an:\n${address}`,
    withReference: (reference) =>
      `Bitte nennen Sie in Ihrer Antwort das Aktenzeichen ${reference}.`,
    byForm: (reference) =>
      `Antworten auf diese E-Mail werden nicht empfangen. Bitte senden Sie uns Ihre Antwort mit dem Formular und nennen Sie dort das Aktenzeichen ${reference}.`,
  },
  questions: {
    identity:
      'Bitte nennen Sie uns etwas, das zeigt, dass die Daten Ihre sind, zum Beispiel eine Kunden- oder Bestellnummer.',
    clarification: 'Bitte beschreiben Sie Ihren Antrag genauer.',
  },

  acknowledgement: {
    subject: 'Wir haben Ihren Antrag erhalten',
    text: (organisation) =>
      `wir haben von dieser E-Mail-Adresse einen Datenschutzantrag an ${organisation} erhalten.`,
  },
  acknowledgements: {
    subject: (count) => `Wir haben ${count} Anträge erhalten`,
    text: (count, organisation) =>
      `wir haben von dieser E-Mail-Adresse ${count} Datenschutzanträge an ${organisation} erhalten. Diese E-Mail betrifft alle.`,
  },
  allUnconfirmed: {
    subject: (count) => `Bitte bestätigen Sie Ihre Anträge (${count})`,
    text: (count, organisation) =>
      `${count} Datenschutzanträge an ${organisation} von dieser E-Mail-Adresse sind noch nicht bestätigt.`,
    last: 'Dies ist die einzige Erinnerung an diese Anträge.',
  },
  entered: {
    subject: 'Wir haben Ihren Antrag erhalten',
    text: (organisation, day, channel) =>
      `wir haben Ihren Antrag an ${organisation} am ${day} ${channel} erhalten.`,
  },
  unconfirmed: {
    subject: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
    text: 'Ihr Datenschutzantrag ist noch nicht bestätigt. Bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört.',
    terms: `${NOT_YOURS} Dies ist die einzige Erinnerung.`,
    expires: 'Anträge, die nicht innerhalb von 30 Tagen bestätigt werden, schließen wir.',
  },
  expired: {
    subject: 'Ihr Antrag ist abgelaufen',
    subjectOfMany: (count) => `Ihre Anträge sind abgelaufen (${count})`,
    text: (count) =>
      count === 1
        ? 'der folgende Antrag wurde nicht innerhalb von 30 Tagen bestätigt. Deshalb haben wir ihn geschlossen und dafür keine Daten herausgegeben oder gelöscht.'
        : 'die folgenden Anträge wurden nicht innerhalb von 30 Tagen bestätigt. Deshalb haben wir sie geschlossen und dafür keine Daten herausgegeben oder gelöscht.',
    more: (count) => `Und ${count} weitere.`,
    again: 'Wenn ein Antrag von Ihnen war, können Sie jederzeit einen neuen stellen.',
  },
  newConfirmLink: {
    subject: 'Ihr neuer Bestätigungslink',
    text: 'mit diesem neuen Link bestätigen Sie Ihren Datenschutzantrag. Frühere Links gelten nicht mehr.',
  },
  newDownloadLink: {
    subject: 'Ihr neuer Download-Link',
    text: 'mit diesem neuen Link laden Sie Ihre Daten herunter. Frühere Links gelten nicht mehr.',
  },
  started: {
    subject: 'Wir bearbeiten Ihren Antrag',
    text: 'wir haben begonnen, Ihren Antrag zu bearbeiten.',
  },
  resumed: {
    subject: 'Wir bearbeiten Ihren Antrag weiter',
    text: 'Ihr Antrag ist nicht mehr angehalten. Wir bearbeiten ihn weiter.',
  },
  reopened: {
    subject: 'Wir bearbeiten Ihren Antrag erneut',
    text: 'wir haben Ihren Antrag wieder aufgenommen. Der Grund:',
    links:
      'Links zum Herunterladen Ihrer Daten, die wir Ihnen vorher geschickt haben, gelten nicht mehr.',
  },
  asked: { subject: 'Wir benötigen weitere Angaben von Ihnen' },
  paused: { subject: 'Ihr Antrag ist angehalten' },
  extended: {
    subject: 'Wir benötigen mehr Zeit für Ihren Antrag',
    text: 'wir haben die Frist für Ihren Antrag verlängert. Der Grund:',
  },
  completed: { subject: 'Ihr Antrag ist abgeschlossen', text: 'Ihr Antrag ist abgeschlossen.' },
  rejected: {
    subject: 'Wir können Ihrem Antrag nicht entsprechen',
    text: 'wir haben Ihren Antrag geprüft und können ihm nicht entsprechen. Der Grund:',
  },
  withdrawal: {
    subject: 'Bitte bestätigen Sie die Rücknahme Ihres Antrags',
    text: 'wir wurden gebeten, Ihren Antrag als zurückgezogen zu behandeln. Das tun wir nur, wenn Sie es bestätigen.',
    terms: `${LINK_TERMS} Wenn Sie Ihren Antrag behalten möchten, brauchen Sie nichts zu tun.`,
  },
  withdrawn: {
    subject: 'Ihr Antrag ist zurückgezogen',
    text: 'Ihr Antrag ist zurückgezogen, und wir bearbeiten ihn nicht weiter. Sie können jederzeit einen neuen stellen.',
  },
};
