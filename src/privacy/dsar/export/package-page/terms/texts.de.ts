/** What the data map of a new installation says, in German. */
export const texts: Readonly<Record<string, string>> = {
  'Records of consent, to demonstrate what was chosen and when.':
    'Nachweis von Einwilligungen: was wann gewählt wurde.',
  'Data-subject requests: receiving, verifying and answering them.':
    'Datenschutzanträge: Annahme, Prüfung und Beantwortung.',
  'Licence customers: issuing licences and checking where they are used.':
    'Lizenzkunden: Ausstellung von Lizenzen und Prüfung, wo sie benutzt werden.',
  'Console users: accounts and sign-in of the people who use the Pavis console.':
    'Benutzer der Konsole: Konten und Anmeldung der Personen, die mit der Pavis-Konsole arbeiten.',
  'Logs: who changed what in the console and on licences, and server errors, to find faults and misuse.':
    'Protokolle: wer in der Konsole und an Lizenzen was geändert hat, und Fehler des Servers, um Störungen und Missbrauch zu finden.',
  'Security log: sign-ins, failed attempts, changes of accounts and exports, to detect and prove attacks and misuse.':
    'Sicherheitsprotokoll: Anmeldungen, Fehlversuche, Änderungen an Konten und Exporte, um Angriffe und Missbrauch zu erkennen und zu belegen.',
  'IP address, browser and names: 30 days, unless the retention policies state otherwise':
    'IP-Adresse, Browser und Namen: 30 Tage, sofern die Aufbewahrungsregeln nichts anderes angeben',
  'People with an account for the console; people who try to sign in':
    'Personen mit einem Konto für die Konsole; Personen, die versuchen, sich anzumelden',
  'The use of the console and of its interfaces':
    'Die Nutzung der Konsole und ihrer Schnittstellen',
  'Consent choices of signed-in people, so that they apply on all their devices where they are signed in.':
    'Einwilligungsentscheidungen angemeldeter Personen, damit sie auf allen Geräten gelten, auf denen sie angemeldet sind.',
  'Mail: sending messages about requests, licences, sign-in and administration, and proof that they were sent.':
    'E-Mail: Nachrichten zu Anfragen, Lizenzen, Anmeldung und Verwaltung, und der Nachweis ihres Versands.',

  'Visitors of the site': 'Besucher der Website',
  'Visitors who are signed in at the site': 'Besucher, die auf der Website angemeldet sind',
  'People who make a request': 'Personen, die einen Antrag stellen',
  Customers: 'Kunden',
  'People with an account for the console': 'Personen mit einem Konto für die Konsole',
  'People with an account for the console; customers whose licence changes':
    'Personen mit einem Konto für die Konsole; Kunden, deren Lizenz sich ändert',
  'People who make a request, customers, people with an account':
    'Personen, die einen Antrag stellen, Kunden, Personen mit einem Konto',

  'Administrators of this installation': 'Administratoren dieser Installation',
  'Administrators and editors of this installation':
    'Administratoren und Redakteure dieser Installation',
  'Payment service, if licences are sold through it':
    'Zahlungsdienst, wenn Lizenzen über ihn verkauft werden',
  'Hosting provider that stores the server log':
    'Hosting-Anbieter, der das Serverprotokoll speichert',
  'Mail server of this site': 'Mailserver dieser Website',
  'Mail providers of the recipients': 'E-Mail-Anbieter der Empfänger',

  'As the retention policies state': 'Wie in den Aufbewahrungsregeln angegeben',
  'As long as the person has a licence, then as the retention policies state':
    'Solange die Person eine Lizenz hat, danach wie in den Aufbewahrungsregeln angegeben',
  'Until an administrator deletes the account': 'Bis ein Administrator das Konto löscht',
  'Until the consent expires': 'Bis die Einwilligung abläuft',
  'Activity logs: as the retention policies state. Server log: as long as the host keeps it':
    'Aktivitätsprotokolle: wie in den Aufbewahrungsregeln angegeben. Serverprotokoll: solange der Hosting-Anbieter es aufbewahrt',
  'Text: until the message is sent; without a mail server, in a file for as long as recipient and time. Recipient and time: as the retention policy for sent mail states':
    'Text: bis zum Versand; ohne Mailserver in einer Datei, so lange wie Empfänger und Zeit. Empfänger und Zeit: wie in der Aufbewahrungsregel für gesendete E-Mails angegeben',
  // Data maps of earlier versions have it.
  'Text: until the message is sent. Recipient and time: as the retention policy for sent mail states':
    'Text: bis zum Versand. Empfänger und Zeit: wie in der Aufbewahrungsregel für gesendete E-Mails angegeben',

  'The person, and their use of this site': 'Die Person und ihre Nutzung dieser Website',
  'The person, the sites that use their licence, and the payment service':
    'Die Person, die Websites, die ihre Lizenz benutzen, und der Zahlungsdienst',
  'The administrator who creates the account, and its use':
    'Der Administrator, der das Konto anlegt, und dessen Nutzung',
  'The person, and the site, which names them by a keyed hash of their user id':
    'Die Person und die Website, die sie mit einem Schlüssel-Hash ihrer Benutzerkennung nennt',
  'The use of the console, of licences and of this site':
    'Die Nutzung der Konsole, der Lizenzen und dieser Website',

  None: 'Keine',
  'A licence follows its payments: it is extended, suspended or revoked when the payment service reports a payment, a dispute or a refund. There is no profiling.':
    'Eine Lizenz folgt ihren Zahlungen: Sie wird verlängert, gesperrt oder widerrufen, wenn der Zahlungsdienst eine Zahlung, eine Beanstandung oder eine Erstattung meldet. Profiling findet nicht statt.',
};
