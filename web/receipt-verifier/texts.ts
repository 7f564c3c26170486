import type { BundleFault } from './bundle.ts';
import type { Fault } from './verify.ts';

const ENGLISH = {
  title: 'Check a consent receipt',
  lead: 'This page checks receipts of consent choices that a website with Pavis has issued, and bundles of consent records for auditors. Nothing leaves your device: the page works without a connection.',
  file: '1. Choose the receipt',
  drop: 'A file that ends in .html or .tlog-proof, or a bundle that ends in .zip. You can also drop it here.',
  keys: '2. Enter the keys that you trust',
  keysHint:
    'Enter the verifier key of the log, from the operator’s website or from someone you trust, and keys of witnesses if you have any. One per line. If you leave this empty, the key in the receipt is used. That shows that the receipt is intact, but not who issued it.',
  check: 'Check',
  choose: 'Choose a receipt first.',
  unreadable: 'The file cannot be read.',
  unsupported:
    'This browser cannot verify Ed25519 signatures, so nothing was checked. Use a current version of Firefox, Safari, Chrome or Edge, or the command “pavis receipt verify”.',
  valid: 'The receipt is intact',
  validPage: 'The proof in the file is intact',
  broken: 'The receipt is not valid',
  checked: 'What was checked',
  entry: 'The entry of the log follows from the record below.',
  inclusion: (index: string, size: string) => `The log has it as entry ${index} of ${size}.`,
  signed: 'The log has signed that state, and the texts of the receipt.',
  keyKnown: 'The signature is by the key that you entered.',
  keyUnknown:
    'The key was taken from the receipt. Anyone can make such a receipt with a key of their own: compare the key with one that you trust.',
  witness: (name: string, at: string) => `The witness ${name} saw this state on ${at}.`,
  noWitness:
    'No witness whose key you entered has signed. The log alone states that it shows the same to all.',
  says: 'What the receipt says',
  accepted: 'Allowed',
  rejected: 'Not allowed',
  vendorsAccepted: 'Allowed, although their category is not',
  vendorsRejected: 'Not allowed, although their category is',
  required: 'Always active',
  none: 'nothing',
  when: 'Recorded',
  expires: 'Valid until',
  page: 'Page',
  banner: 'Banner',
  unstated: 'no version stated',
  optOut: 'Instead, where visitors are not asked first but can object',
  controller: 'Operator, as stated',
  number: 'Number of the record',
  visitor: 'Visitor id',
  log: 'Log',
  key: 'Key of the log',
  earlier:
    'The record is older than the log. The receipt shows what it was when the log began, not that it was so before.',
  html: 'The readable text of an HTML receipt is not checked. What counts is what is shown here.',
  checking: (records: string) => `${records} records checked …`,
  bundleValid: 'The bundle is intact',
  bundlePartly: 'Some records of the bundle have no proof',
  bundleBroken: 'The bundle is not valid',
  problemCount: (count: string) => `Problems: ${count}`,
  proven: (count: string, all: string) =>
    `${count} of ${all} records are in the log exactly as the bundle has them.`,
  anonymised: (count: string) =>
    `Personal data was removed from records: ${count}. What is left of them is proven.`,
  earlierRecords: (count: string) =>
    `Records that are older than the log: ${count}. The bundle shows what they were when the log began, not that they were so before.`,
  notLogged: (count: string) =>
    `Records without a proof, because the log did not have them at this state or was damaged: ${count}.`,
  banners: (versions: string, pictures: string) =>
    `The texts of the banner and its pictures are what was logged. Versions: ${versions}, pictures: ${pictures}.`,
  complete:
    'Every file matches its hash. Whether records were left out of the bundle cannot be seen from it.',
  bundleKeyUnknown:
    'The key was taken from the bundle. Anyone can make such a bundle with a key of their own: compare the key with one that you trust.',
  period: 'Period',
  line: (number: number) => `line ${number}`,
  problems: {
    unreadable: 'The file is damaged.',
    missing: 'The file is missing.',
    unlisted: 'The file was added: SHA256SUMS does not list it.',
    checksum: 'The file was changed: its hash in SHA256SUMS is another.',
    line: 'The line is damaged, or not in its place.',
    entry: 'The log has other content for it.',
    count: 'There are more or fewer records than stated.',
    unlogged: 'The log has no entry about it.',
  } satisfies Record<BundleFault, string>,
  faults: {
    no_bundle:
      'The ZIP file is not a bundle of consent records, or it is damaged or larger than 4 GB. Choose the ZIP file as you received it, not one that you packed again.',
    no_receipt: 'The file is not a receipt, or a part of it is damaged.',
    wrong_key_text: 'A key is not valid. It has the form NAME+ID+KEY. Copy the whole line.',
    other_key: 'The file is signed with another key than the one that you entered.',
    checkpoint: 'The state of the log in the file is damaged, or its signature is wrong.',
    signature: 'The texts of the receipt were changed after it was signed.',
    inclusion: 'The log does not have this record at the stated place.',
  } satisfies Record<Fault, string>,
};

export type Texts = typeof ENGLISH;

const GERMAN: Texts = {
  title: 'Einwilligungsbeleg prüfen',
  lead: 'Diese Seite prüft Belege über Einwilligungsentscheidungen, die eine Website mit Pavis ausgestellt hat, und Pakete mit Einwilligungen für Prüfer. Nichts verlässt Ihr Gerät: Die Seite funktioniert ohne Verbindung.',
  file: '1. Beleg auswählen',
  drop: 'Eine Datei, die auf .html oder .tlog-proof endet, oder ein Paket, das auf .zip endet. Sie können sie auch hierher ziehen.',
  keys: '2. Schlüssel eingeben, denen Sie vertrauen',
  keysHint:
    'Geben Sie den Prüfschlüssel des Protokolls von der Website des Betreibers oder von jemandem ein, dem Sie vertrauen, und Schlüssel von Zeugen, falls Sie welche haben. Einen pro Zeile. Bleibt das Feld leer, wird der Schlüssel aus dem Beleg verwendet. Das zeigt, dass der Beleg unversehrt ist, aber nicht, wer ihn ausgestellt hat.',
  check: 'Prüfen',
  choose: 'Wählen Sie zuerst einen Beleg aus.',
  unreadable: 'Die Datei kann nicht gelesen werden.',
  unsupported:
    'Dieser Browser kann keine Ed25519-Unterschriften prüfen, deshalb wurde nichts geprüft. Verwenden Sie eine aktuelle Version von Firefox, Safari, Chrome oder Edge, oder den Befehl „pavis receipt verify“.',
  valid: 'Der Beleg ist unversehrt',
  validPage: 'Der Nachweis in der Datei ist unversehrt',
  broken: 'Der Beleg ist nicht gültig',
  checked: 'Was geprüft wurde',
  entry: 'Der Eintrag im Protokoll ergibt sich aus den Angaben unten.',
  inclusion: (index, size) => `Das Protokoll enthält ihn als Eintrag ${index} von ${size}.`,
  signed: 'Diesen Stand und die Texte des Belegs hat das Protokoll unterschrieben.',
  keyKnown: 'Die Unterschrift stammt von dem Schlüssel, den Sie eingegeben haben.',
  keyUnknown:
    'Der Schlüssel stammt aus dem Beleg. Jeder kann einen solchen Beleg mit einem eigenen Schlüssel herstellen: Vergleichen Sie ihn mit einem, dem Sie vertrauen.',
  witness: (name, at) => `Der Zeuge ${name} hat diesen Stand am ${at} gesehen.`,
  noWitness:
    'Kein Zeuge, dessen Schlüssel Sie eingegeben haben, hat unterschrieben. Dass das Protokoll allen dasselbe zeigt, sagt nur das Protokoll selbst.',
  says: 'Was der Beleg sagt',
  accepted: 'Erlaubt',
  rejected: 'Nicht erlaubt',
  vendorsAccepted: 'Erlaubt, obwohl ihre Kategorie es nicht ist',
  vendorsRejected: 'Nicht erlaubt, obwohl ihre Kategorie es ist',
  required: 'Immer aktiv',
  none: 'nichts',
  when: 'Aufgezeichnet',
  expires: 'Gültig bis',
  page: 'Seite',
  banner: 'Banner',
  unstated: 'keine Version angegeben',
  optOut: 'Stattdessen, wo Besucher nicht vorher gefragt werden, sondern widersprechen können',
  controller: 'Betreiber, nach eigener Angabe',
  number: 'Nummer der Aufzeichnung',
  visitor: 'Besucher-ID',
  log: 'Protokoll',
  key: 'Schlüssel des Protokolls',
  earlier:
    'Die Aufzeichnung ist älter als das Protokoll. Der Beleg zeigt, wie sie war, als das Protokoll begann, nicht dass sie vorher so war.',
  html: 'Der lesbare Text eines HTML-Belegs wird nicht geprüft. Es zählt, was hier steht.',
  checking: (records) => `${records} Aufzeichnungen geprüft …`,
  bundleValid: 'Das Paket ist unversehrt',
  bundlePartly: 'Einige Aufzeichnungen des Pakets haben keinen Nachweis',
  bundleBroken: 'Das Paket ist nicht gültig',
  problemCount: (count) => `Probleme: ${count}`,
  proven: (count, all) =>
    `${count} von ${all} Aufzeichnungen stehen genau so im Protokoll, wie das Paket sie enthält.`,
  anonymised: (count) =>
    `Aufzeichnungen, deren personenbezogene Daten entfernt wurden: ${count}. Was von ihnen übrig ist, ist nachgewiesen.`,
  earlierRecords: (count) =>
    `Aufzeichnungen, die älter sind als das Protokoll: ${count}. Das Paket zeigt, wie sie waren, als das Protokoll begann, nicht dass sie vorher so waren.`,
  notLogged: (count) =>
    `Aufzeichnungen ohne Nachweis, weil das Protokoll sie bei diesem Stand nicht hatte oder beschädigt war: ${count}.`,
  banners: (versions, pictures) =>
    `Die Texte des Banners und seine Bilder sind die, die protokolliert wurden. Versionen: ${versions}, Bilder: ${pictures}.`,
  complete:
    'Jede Datei stimmt mit ihrer Prüfsumme überein. Ob Aufzeichnungen im Paket fehlen, lässt sich aus ihm nicht erkennen.',
  bundleKeyUnknown:
    'Der Schlüssel stammt aus dem Paket. Jeder kann ein solches Paket mit einem eigenen Schlüssel herstellen: Vergleichen Sie ihn mit einem, dem Sie vertrauen.',
  period: 'Zeitraum',
  line: (number) => `Zeile ${number}`,
  problems: {
    unreadable: 'Die Datei ist beschädigt.',
    missing: 'Die Datei fehlt.',
    unlisted: 'Die Datei wurde hinzugefügt: SHA256SUMS nennt sie nicht.',
    checksum: 'Die Datei wurde geändert: SHA256SUMS nennt eine andere Prüfsumme.',
    line: 'Die Zeile ist beschädigt oder nicht an ihrem Platz.',
    entry: 'Das Protokoll hat dafür einen anderen Inhalt.',
    count: 'Es sind mehr oder weniger Aufzeichnungen als angegeben.',
    unlogged: 'Das Protokoll hat keinen Eintrag darüber.',
  },
  faults: {
    no_bundle:
      'Die ZIP-Datei ist kein Paket mit Einwilligungen, oder sie ist beschädigt oder größer als 4 GB. Wählen Sie die ZIP-Datei aus, die Sie erhalten haben, nicht eine, die Sie neu gepackt haben.',
    no_receipt: 'Die Datei ist kein Beleg, oder ein Teil davon ist beschädigt.',
    wrong_key_text:
      'Ein Schlüssel ist ungültig. Er hat die Form NAME+ID+SCHLÜSSEL. Kopieren Sie die ganze Zeile.',
    other_key:
      'Die Datei ist mit einem anderen Schlüssel unterschrieben als dem, den Sie eingegeben haben.',
    checkpoint:
      'Der Stand des Protokolls in der Datei ist beschädigt, oder seine Unterschrift ist falsch.',
    signature: 'Die Texte des Belegs wurden nach der Unterschrift geändert.',
    inclusion: 'Das Protokoll enthält diese Aufzeichnung nicht an der angegebenen Stelle.',
  },
};

export const LANGUAGES: Record<string, Texts> = { en: ENGLISH, de: GERMAN };
