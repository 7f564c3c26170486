import type { PageWords } from './words.ts';

export const de: PageWords = {
  dir: 'ltr',
  name: 'Deutsch',
  skip: 'Zum Inhalt springen',
  brand: (site) => `Datenschutz-Anfragen an ${site}`,
  languages: 'Sprache',
  footer: (site) =>
    `Was Sie hier senden, geht an die Betreiber von ${site} und wird nur für Ihre Anfrage verwendet.`,

  form: {
    title: 'Ihre Daten, Ihre Entscheidung',
    lead: (site) =>
      `Fragen Sie ${site}, was dort über Sie bekannt ist, oder lassen Sie es berichtigen oder löschen. Das ist Ihr gutes Recht, es kostet nichts, und Sie brauchen keinen Grund zu nennen.`,
    what: 'Was möchten Sie?',
    types: {
      access: {
        label: 'Meine Daten sehen',
        hint: 'Sie bekommen eine Kopie dessen, was wir über Sie haben, und erfahren, wofür es verwendet wird.',
      },
      deletion: {
        label: 'Meine Daten löschen',
        hint: 'Wir löschen, was wir über Sie haben, und sagen Ihnen, falls wir etwas von Gesetzes wegen behalten müssen.',
      },
      rectification: {
        label: 'Meine Daten berichtigen',
        hint: 'Etwas ist falsch oder fehlt: Schreiben Sie unten, wie es richtig ist.',
      },
      portability: {
        label: 'Meine Daten mitnehmen',
        hint: 'Sie bekommen die Daten, die Sie uns gegeben haben, als Dateien, die andere Programme lesen können.',
      },
      objection: {
        label: 'Der Verwendung meiner Daten widersprechen',
        hint: 'Schreiben Sie unten, was wir lassen sollen. Werbung endet sofort; alles andere prüfen wir neu.',
      },
    },
    about: 'Wer sind Sie?',
    optional: '(freiwillig)',
    firstName: 'Vorname',
    lastName: 'Nachname',
    email: 'E-Mail-Adresse',
    emailHint:
      'Die, unter der wir Sie kennen, falls Sie bei uns eine verwendet haben. Dorthin geht unsere Antwort.',
    details: 'Was sollten wir noch wissen?',
    detailsHint:
      'Zum Beispiel eine Kundennummer, oder was zu berichtigen ist. Bitte keine Passwörter.',
    trap: 'Bitte leer lassen',
    visitor: 'Ihre Cookie-Einstellungen in diesem Browser gehören mit zur Anfrage.',
    send: 'Anfrage senden',
    after:
      'Sie bekommen eine E-Mail mit einem Link, um Ihre Adresse zu bestätigen. Bis wann wir antworten, steht auf der nächsten Seite.',
    toStatus: 'Ich habe schon eine Anfrage gesendet: Wie weit ist sie?',
  },
  notice: {
    title: 'Wie wir verwenden, was Sie senden',
    controller: 'Verantwortlicher',
    officer: 'Datenschutzbeauftragte Person',
    purpose: {
      label: 'Zweck',
      text: 'Ihre Anfrage zu beantworten und die Antwort nachweisen zu können.',
    },
    basis: {
      label: 'Rechtsgrundlage',
      gdpr: 'Unsere rechtliche Verpflichtung zu antworten: Art. 6 Abs. 1 Buchst. c und Art. 12 bis 22 DSGVO.',
      other: 'Unsere rechtliche Verpflichtung, Ihre Anfrage zu beantworten.',
    },
    retention: {
      label: 'Speicherdauer',
      rule: (period, action) =>
        `${period} nach ihrem Abschluss wird Ihre Anfrage ${action === 'delete' ? 'gelöscht' : 'anonymisiert'}.`,
      unset:
        'Keine feste Frist. Wir bewahren Ihre Anfrage so lange auf, wie wir die Antwort nachweisen müssen.',
    },
    rights: {
      label: 'Ihre Rechte',
      text: 'Sie können von uns Auskunft über diese Daten verlangen, und dass wir sie berichtigen, löschen oder ihre Verarbeitung einschränken.',
    },
    complaint: {
      label: 'Beschwerde',
      text: 'Sie können sich bei einer Datenschutzaufsichtsbehörde beschweren.',
    },
  },
  closed: {
    title: 'Zurzeit können hier keine Anfragen gesendet werden',
    text: 'Sie können uns trotzdem schreiben: Ihre Rechte hängen nicht von diesem Formular ab.',
    write: (address) => `Schreiben Sie an ${address}.`,
  },
  errors: {
    title: 'Bitte sehen Sie hier noch einmal nach',
    type: 'Wählen Sie aus, was Sie möchten.',
    email: 'Geben Sie eine E-Mail-Adresse an, unter der Sie erreichbar sind, wie name@example.com.',
    tooLong: (limit) => `Bitte höchstens ${limit} Zeichen.`,
    trap: 'Ein verborgenes Feld wurde ausgefüllt, wie es Programme tun. Wenn Sie ein Mensch sind, senden Sie das Formular bitte einfach noch einmal.',
    tooMany:
      'Aus Ihrem Netz kamen zu viele Anfragen. Bitte warten Sie eine Minute und senden Sie das Formular dann noch einmal.',
    fault:
      'Wir konnten Ihre Anfrage nicht speichern. Ihre Eingaben sind noch da: Bitte senden Sie das Formular gleich noch einmal.',
  },
  sent: {
    title: 'Ihre Anfrage ist bei uns',
    lead: 'Vielen Dank. Bewahren Sie dieses Aktenzeichen auf: Damit fragen Sie nach Ihrer Anfrage.',
    reference: 'Aktenzeichen',
    deadline: 'Wir antworten bis',
    copyHint:
      'Klicken Sie auf das Aktenzeichen, um es zu markieren, und kopieren Sie es; oder drucken Sie diese Seite.',
    next: 'Wie es weitergeht',
    steps: (deadline) => [
      'Sie bekommen eine E-Mail von uns, meist sofort und spätestens innerhalb einer Stunde. Öffnen Sie den Link darin, um zu bestätigen, dass die Adresse Ihnen gehört. Kommt sie nicht an, sehen Sie im Spam-Ordner nach.',
      'Nach Ihrer Bestätigung beginnen wir mit der Arbeit. Bis dahin geben wir nichts heraus und löschen nichts.',
      `Sie hören bis zum ${deadline} von uns.`,
    ],
    toStatus: 'Sehen, wie weit Ihre Anfrage ist',
  },
  status: {
    title: 'Wie weit ist meine Anfrage?',
    lead: 'Geben Sie das Aktenzeichen an, das Sie bekommen haben, und die E-Mail-Adresse, mit der Sie die Anfrage gesendet haben.',
    reference: 'Aktenzeichen',
    referenceHint: 'Wie DSR-20261121-7K2M9Q; es steht in unseren E-Mails.',
    email: 'E-Mail-Adresse',
    emailHint: 'Die, mit der Sie die Anfrage gesendet haben.',
    show: 'Anzeigen',
    unknown:
      'Wir finden keine Anfrage mit diesem Aktenzeichen und dieser E-Mail-Adresse. Bitte prüfen Sie beides; es steht in unserer E-Mail.',
    found: 'Ihre Anfrage',
    request: 'Anfrage',
    state: 'Stand',
    submitted: 'Eingegangen am',
    completed: 'Abgeschlossen am',
    states: {
      received: { label: 'Eingegangen', text: 'Ihre Anfrage liegt bei uns vor.' },
      in_progress: { label: 'In Arbeit', text: 'Wir arbeiten daran.' },
      on_hold: {
        label: 'Angehalten',
        text: 'Was wir brauchen, steht in unserer E-Mail: Bitte antworten Sie darauf.',
      },
      completed: {
        label: 'Abgeschlossen',
        text: 'Wir sind fertig. Das Ergebnis steht in unserer E-Mail.',
      },
      rejected: {
        label: 'Abgelehnt',
        text: 'Wir konnten ihr nicht nachkommen. Der Grund steht in unserer E-Mail.',
      },
      withdrawn: {
        label: 'Zurückgezogen',
        text: 'Sie wurde zurückgenommen; wir unternehmen nichts mehr.',
      },
    },
    unconfirmed:
      'Bitte bestätigen Sie Ihre Adresse mit dem Link in unserer ersten E-Mail, damit wir anfangen können.',
    withdraw: 'Diese Anfrage zurückziehen',
    withdrawHint:
      'Um diese Anfrage zurückzuziehen, lassen Sie sich einen Link per E-Mail senden. Erst wenn Sie den Link benutzen, ist die Anfrage zurückgezogen.',
    another: 'Nach einer anderen Anfrage sehen',
    toForm: 'Eine neue Anfrage senden',
  },
  confirm: {
    title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: 'Drücken Sie auf den Knopf, um zu bestätigen, dass die Anfrage von Ihnen ist und diese Adresse Ihnen gehört. Wenn nicht, schließen Sie diese Seite, und nichts geschieht.',
    button: 'Ja, das bin ich',
    done: 'Vielen Dank, Ihre Adresse ist bestätigt',
    doneText: 'Wir beginnen mit Ihrer Anfrage. Sie brauchen nichts weiter zu tun.',
  },
  download: {
    title: 'Ihre Daten sind bereit',
    text: 'Sie bekommen eine Datei (ZIP), in der alles steht; zum Lesen öffnen Sie darin index.html. Der Link gilt einmal: Drücken Sie auf den Knopf, wo Sie die Datei behalten möchten, und nicht an einem Rechner, den andere benutzen.',
    button: 'Meine Daten herunterladen',
    keep: 'Die Datei handelt nur von Ihnen. Bewahren Sie sie sicher auf, oder löschen Sie sie, wenn Sie sie gelesen haben.',
  },
  withdraw: {
    title: 'Ihre Anfrage zurückziehen',
    text: 'Drücken Sie auf den Knopf, um Ihre Anfrage zurückzuziehen. Wir bearbeiten sie dann nicht weiter. Sie können jederzeit eine neue senden. Wenn Sie Ihre Anfrage behalten möchten, schließen Sie diese Seite.',
    button: 'Meine Anfrage zurückziehen',
    done: 'Ihre Anfrage ist zurückgezogen',
    doneText: 'Wir bearbeiten sie nicht weiter. Sie können jederzeit eine neue senden.',
    sent: 'Sehen Sie in Ihre E-Mails',
    sentText:
      'Wir haben Ihnen eine E-Mail gesendet. Öffnen Sie den Link darin, um Ihre Anfrage zurückzuziehen. Ist die E-Mail nach ein paar Minuten nicht da, sehen Sie im Spam-Ordner nach. Solange Sie den Link nicht benutzen, bleibt Ihre Anfrage, wie sie ist.',
  },
  over: {
    withdraw:
      'Er wurde verwendet, durch einen neueren ersetzt oder ist älter als sieben Tage, oder die Anfrage wurde inzwischen abgeschlossen.',
    title: 'Dieser Link gilt nicht mehr',
    confirm:
      'Er wurde schon verwendet, durch einen neueren ersetzt oder ist älter als sieben Tage. Wenn Sie Ihre Adresse schon bestätigt haben, brauchen Sie nichts zu tun. Wenn nicht, wenden Sie sich an uns und bitten Sie um einen neuen Link.',
    contact: (writeTo) =>
      writeTo
        ? `So erreichen Sie uns: ${writeTo}.`
        : 'So erreichen Sie uns: Senden Sie eine neue Anfrage und nennen Sie darin das Aktenzeichen dieser Anfrage.',
    download: {
      unknown:
        'Der Link ist unvollständig oder falsch. Kopieren Sie den ganzen Link aus unserer E-Mail.',
      used: 'Der Link wurde bereits verwendet. Wenn Sie Ihre Datei nicht haben, wenden Sie sich an uns und bitten Sie um einen neuen Link.',
      expired:
        'Der Link war sieben Tage gültig. Wenn Sie Ihre Datei nicht haben, wenden Sie sich an uns und bitten Sie um einen neuen Link.',
      revoked:
        'Wir haben diesen Link zurückgezogen, weil sich der Stand Ihrer Anfrage geändert hat. Den Stand Ihrer Anfrage sehen Sie unten.',
      replaced:
        'Ein neuerer Link hat diesen ersetzt. Verwenden Sie den Link in unserer letzten E-Mail.',
      deleted:
        'Ihre Datei wurde gelöscht: Wir bewahren sie nach unserer Antwort nur kurze Zeit auf. Wenn Sie sie nicht haben, wenden Sie sich an uns und bitten Sie um eine neue Kopie.',
    },
  },
  faults: {
    notFound: {
      title: 'Unter dieser Adresse gibt es nichts',
      text: 'Vielleicht wurde der Link auf dem Weg zu Ihnen abgeschnitten.',
    },
    tooMany: {
      title: 'Zu viele Anfragen',
      text: 'Sie kamen aus Ihrem Netz. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    },
    unavailable: {
      title: 'Wir können gerade nicht antworten',
      text: 'Bitte versuchen Sie es gleich noch einmal. Was Sie vorher gesendet haben, ist sicher.',
    },
    other: {
      title: 'Das hat nicht geklappt',
      text: 'Bitte gehen Sie zurück und versuchen Sie es noch einmal.',
    },
  },
};
