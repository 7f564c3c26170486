/** The words of the readable receipt. */
export interface ReceiptTexts {
  title: string;
  lead: (controller: string) => string;
  chosen: string;
  allowed: string;
  refused: string;
  vendorsAllowed: string;
  vendorsRefused: string;
  required: string;
  when: string;
  expires: string;
  page: string;
  banner: string;
  version: (version: string) => string;
  unstated: string;
  /** Before the text for visitors who are not asked but may object. */
  optOut: string;
  privacy: string;
  number: string;
  visitor: string;
  proof: string;
  shows: string[];
  showsNot: string;
  limits: string[];
  check: string;
  how: string;
  save: string;
  log: string;
  entry: string;
  key: string;
  earlier: string;
}

const ENGLISH: ReceiptTexts = {
  title: 'Receipt of your consent choice',
  lead: (controller) => `Issued by ${controller}. Keep this file; it contains your visitor id.`,
  chosen: 'What you chose',
  allowed: 'allowed',
  refused: 'not allowed',
  vendorsAllowed: 'Allowed, although their category is not',
  vendorsRefused: 'Not allowed, although their category is',
  required: 'always active, not asked',
  when: 'Recorded',
  expires: 'Valid until',
  page: 'On the page',
  banner: 'The banner that was shown',
  version: (version) => `Version ${version}`,
  unstated: 'The choice states no banner version.',
  optOut: 'In countries where visitors are not asked first but can object, it said instead:',
  privacy: 'Privacy policy',
  number: 'Number of the record',
  visitor: 'Visitor id',
  proof: 'What the proof shows',
  shows: [
    'The operator entered exactly this choice, with the times above, into a log to which entries are only added.',
    'If the record were changed or removed, the operator could not produce this log without the difference being found by anyone who holds this receipt.',
    'The operator signed the texts of the banner as stated here.',
  ],
  showsNot: 'What it does not show',
  limits: [
    'That the choice was yours: it shows what was recorded under the visitor id.',
    'That the website kept to it.',
    'Who the operator is. Take the key of the log from the operator’s website or from someone you trust, not from this file.',
    'That others saw the log, unless the proof has the signature of a witness that you know.',
  ],
  check: 'How to check it',
  how: 'Open receipt-verifier.html of any Pavis installation and choose this file, or run “pavis receipt verify”. Both work without a connection. They check the proof in this file, not the text that you read here, and show what the proof says.',
  save: 'Save the proof as a file',
  log: 'Log',
  entry: 'Entry',
  key: 'Key that signed it',
  earlier:
    'The record is older than the log. The proof shows what it was when the log began, not that it was so before.',
};

const GERMAN: ReceiptTexts = {
  title: 'Beleg über Ihre Einwilligungsentscheidung',
  lead: (controller) =>
    `Ausgestellt von: ${controller}. Bewahren Sie diese Datei auf; sie enthält Ihre Besucher-ID.`,
  chosen: 'Was Sie gewählt haben',
  allowed: 'erlaubt',
  refused: 'nicht erlaubt',
  vendorsAllowed: 'Erlaubt, obwohl ihre Kategorie es nicht ist',
  vendorsRefused: 'Nicht erlaubt, obwohl ihre Kategorie es ist',
  required: 'immer aktiv, ohne Frage',
  when: 'Aufgezeichnet',
  expires: 'Gültig bis',
  page: 'Auf der Seite',
  banner: 'Das gezeigte Banner',
  version: (version) => `Version ${version}`,
  unstated: 'Zu der Entscheidung ist keine Version des Banners angegeben.',
  optOut:
    'In Ländern, in denen Besucher nicht vorher gefragt werden, sondern widersprechen können, stand dort stattdessen:',
  privacy: 'Datenschutzerklärung',
  number: 'Nummer der Aufzeichnung',
  visitor: 'Besucher-ID',
  proof: 'Was der Nachweis zeigt',
  shows: [
    'Der Betreiber hat genau diese Entscheidung mit den Zeiten oben in ein Protokoll eingetragen, dem nur hinzugefügt wird.',
    'Würde der Eintrag geändert oder entfernt, könnte der Betreiber dieses Protokoll nicht mehr vorlegen, ohne dass es jedem auffällt, der diesen Beleg besitzt.',
    'Der Betreiber hat die Texte des Banners so unterschrieben, wie sie hier stehen.',
  ],
  showsNot: 'Was er nicht zeigt',
  limits: [
    'Dass Sie die Entscheidung getroffen haben: Er zeigt, was unter der Besucher-ID aufgezeichnet wurde.',
    'Dass sich die Website daran gehalten hat.',
    'Wer der Betreiber ist. Nehmen Sie den Schlüssel des Protokolls von der Website des Betreibers oder von jemandem, dem Sie vertrauen, nicht aus dieser Datei.',
    'Dass andere das Protokoll gesehen haben, außer der Nachweis trägt die Unterschrift eines Zeugen, den Sie kennen.',
  ],
  check: 'So prüfen Sie ihn',
  how: 'Öffnen Sie receipt-verifier.html einer beliebigen Pavis-Installation und wählen Sie diese Datei, oder verwenden Sie „pavis receipt verify“. Beides geht ohne Verbindung. Geprüft wird der Nachweis in dieser Datei, nicht der Text, den Sie hier lesen; angezeigt wird, was der Nachweis sagt.',
  save: 'Nachweis als Datei speichern',
  log: 'Protokoll',
  entry: 'Eintrag',
  key: 'Schlüssel der Unterschrift',
  earlier:
    'Die Aufzeichnung ist älter als das Protokoll. Der Nachweis zeigt, wie sie war, als das Protokoll begann, nicht dass sie vorher so war.',
};

/** German for `de` and its regions, otherwise English. */
export const findReceiptTexts = (language: string): { language: string; texts: ReceiptTexts } =>
  /^de\b/i.test(language) ? { language: 'de', texts: GERMAN } : { language: 'en', texts: ENGLISH };
