import type { Texts } from './en.ts';

export const de: Texts = {
  name: 'Deutsch',
  skip: 'Zum Hauptinhalt springen',
  languages: 'Sprache',
  title: 'Cookies und Drittanbieter',
  lead: (organisation) =>
    `Was die Website von ${organisation} in Ihrem Browser speichert und von welchen Drittanbietern sie Inhalte lädt.`,
  basis: (day, pages) =>
    `Grundlage: Scan von ${pages === 1 ? '1 Seite' : `${pages} Seiten`} der Website am ${day}.`,
  withoutBrowser:
    'Die Seiten wurden ohne Browser gelesen. Was Skripte laden oder speichern, kann fehlen.',
  limits:
    'Die Liste zeigt, was beim Scan beobachtet wurde. Nicht gescannte Seiten, Bereiche mit Anmeldung und Inhalte, die nur manche Besucher sehen, können mehr laden oder speichern.',
  none: 'Die Website wurde noch nicht gescannt. Die Liste erscheint nach dem ersten Scan.',
  nothing: 'Beim Scan wurden keine Drittanbieter, Cookies oder Browserspeicher beobachtet.',
  unclassified: {
    label: 'Nicht zugeordnet',
    description: 'Auf der Website beobachtet, aber noch keiner Kategorie zugeordnet.',
  },
  site: 'Diese Website',
  unknownHost: 'Der Betreiber dieses Hosts ist nicht bekannt.',
  purpose: 'Zweck',
  legalBasis: 'Rechtsgrundlage',
  domains: 'Domains',
  thirdCountries: 'Übermittlung in Drittländer',
  safeguards: 'Garantien',
  notStated: 'Keine Angabe',
  columns: {
    name: 'Name',
    kind: 'Art',
    domain: 'Domain',
    duration: 'Speicherdauer (beobachtet)',
  },
  noName: '(ohne Namen)',
  stored: (recipient) => `Cookies und Speicher: ${recipient}`,
  usual: (duration) => `typisch: ${duration}`,
  kinds: {
    cookie: 'Cookie',
    local: 'Local Storage',
    session: 'Session Storage',
    indexeddb: 'Datenbank im Browser',
  },
  bannerStorage: {
    pavis_consent: 'Speichert Ihre Datenschutz-Einstellungen.',
    pavis_queue: 'Bewahrt Ihre Datenschutz-Einstellungen auf, bis sie den Server erreicht haben.',
  },
  durations: {
    session: 'bis zum Ende der Sitzung',
    untilDeleted: 'bis Sie den Eintrag löschen',
  },
  legalBases: {
    consent: 'Einwilligung',
    contract: 'Vertrag',
    legal_obligation: 'Rechtliche Verpflichtung',
    vital_interests: 'Lebenswichtige Interessen',
    public_task: 'Öffentliche Aufgabe',
    legitimate_interests: 'Berechtigte Interessen',
  },
  legalBasisArticle: (letter, law) =>
    `Art. 6 Abs. 1 Buchst. ${letter} ${{ gdpr: 'DSGVO', uk: 'UK-DSGVO' }[law]}`,
  toRequests: 'Datenschutzantrag stellen',
  faults: {
    notFound: { title: 'Seite nicht gefunden', text: 'Prüfen Sie die Adresse.' },
    other: {
      title: 'Etwas ist schiefgelaufen',
      text: 'Versuchen Sie es in einem Augenblick noch einmal.',
    },
  },
};
