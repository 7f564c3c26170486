import type { PageTexts } from './en.ts';

const RIGHTS =
  'Sie haben das Recht auf Auskunft über diese Daten sowie auf ihre Berichtigung, ihre Löschung und die Einschränkung ihrer Verarbeitung.';
const OBJECTION =
  'Schreiben Sie unten, welcher Verwendung Sie widersprechen. Direktwerbung beenden wir sofort. Für jede andere Verwendung nennen Sie bitte die Gründe, die sich aus Ihrer besonderen Situation ergeben.';

export const de: PageTexts = {
  name: 'Deutsch',
  skip: 'Zum Hauptinhalt springen',
  brand: (organisation) => `Datenschutzanträge an ${organisation}`,
  languages: 'Sprache',
  footer: (organisation) =>
    `${organisation} verwendet Ihre Angaben nur, um Ihren Antrag zu bearbeiten.`,

  form: {
    title: 'Datenschutzantrag stellen',
    lead: (organisation) =>
      `Verlangen Sie von ${organisation} Auskunft über Ihre personenbezogenen Daten, deren Berichtigung oder Löschung, oder widersprechen Sie ihrer Verwendung. Das ist für Sie kostenlos.`,
    what: 'Was möchten Sie tun?',
    types: {
      access: {
        label: 'Auskunft über meine Daten erhalten',
        hint: 'Sie erhalten eine Kopie Ihrer personenbezogenen Daten und Informationen darüber, wie wir sie verwenden.',
      },
      deletion: {
        label: 'Meine Daten löschen lassen',
        hint: 'Wir löschen Ihre personenbezogenen Daten und teilen Ihnen mit, ob und warum wir einzelne aufbewahren müssen.',
      },
      rectification: {
        label: 'Meine Daten berichtigen lassen',
        hint: 'Schreiben Sie unten, was falsch oder unvollständig ist.',
      },
      portability: {
        label: 'Meine Daten übertragen',
        hint: 'Sie erhalten die Daten, die Sie uns bereitgestellt haben, in einem maschinenlesbaren Format.',
      },
      objection: {
        label: 'Der Verwendung meiner Daten widersprechen',
        hint: {
          gdpr: OBJECTION,
          uk: OBJECTION,
          ccpa: 'Schreiben Sie unten, welcher Verwendung Sie widersprechen, zum Beispiel dem Verkauf oder der Weitergabe Ihrer Daten. Gründe brauchen Sie nicht anzugeben.',
        },
      },
    },
    about: 'Ihre Angaben',
    optional: '(freiwillig)',
    firstName: 'Vorname',
    lastName: 'Nachname',
    email: 'E-Mail-Adresse',
    emailHint:
      'Verwenden Sie möglichst die Adresse, die Sie uns bereits genannt haben. Wir antworten an diese Adresse.',
    details: 'Angaben zu Ihrem Antrag',
    detailsHint:
      'Zum Beispiel eine Kundennummer, oder was zu berichtigen ist. Bitte geben Sie keine Passwörter an.',
    trap: 'Bitte leer lassen',
    visitor:
      'Ein Antrag auf Kopie, Übertragung oder Löschung Ihrer Daten umfasst die Cookie-Einstellungen in diesem Browser.',
    claimedVisitor:
      'Wenn Sie Kopie, Übertragung oder Löschung Ihrer Daten beantragen, berücksichtigen wir die Cookie-Einstellungen in diesem Browser, nachdem wir geprüft haben, dass es Ihre sind.',
    send: 'Antrag senden',
    after:
      'Sie erhalten eine E-Mail, wenn nötig mit einem Link, mit dem Sie Ihre Adresse bestätigen. Bis wann wir antworten, steht auf der nächsten Seite.',
    toStatus: 'Bearbeitungsstand Ihres Antrags ansehen',
    toDeclaration: 'Cookies und Drittanbieter auf unserer Website',
  },
  notice: {
    title: 'Wie wir Ihre Angaben verwenden',
    controller: 'Verantwortlicher',
    officer: 'Datenschutzbeauftragte Person',
    purpose: {
      label: 'Zweck',
      text: 'Ihren Antrag zu beantworten und die Antwort nachweisen zu können.',
    },
    basis: {
      label: 'Rechtsgrundlage',
      gdpr: 'Erfüllung einer rechtlichen Verpflichtung: Art. 6 Abs. 1 Buchst. c in Verbindung mit Art. 12 bis 22 DSGVO.',
      uk: 'Erfüllung einer rechtlichen Verpflichtung: Art. 6 Abs. 1 Buchst. c in Verbindung mit Art. 12 bis 22 UK-DSGVO.',
      other: 'Unsere rechtliche Verpflichtung, Ihren Antrag zu beantworten.',
    },
    retention: {
      label: 'Speicherdauer',
      rule: (period, action) =>
        `${period} nach seinem Abschluss wird Ihr Antrag ${action === 'delete' ? 'gelöscht' : 'anonymisiert'}.`,
      unset:
        'Keine feste Frist. Wir bewahren Ihren Antrag so lange auf, wie wir die Antwort nachweisen müssen.',
    },
    rights: {
      label: 'Ihre Rechte',
      gdpr: RIGHTS,
      uk: RIGHTS,
      ccpa: 'Sie haben das Recht zu erfahren, welche personenbezogenen Daten wir über Sie haben, sie löschen oder berichtigen zu lassen und ihren Verkauf und ihre Weitergabe für Werbung abzulehnen.',
    },
    complaint: {
      label: 'Beschwerderecht',
      by: {
        gdpr: () => 'Sie können sich bei einer Datenschutzaufsichtsbehörde beschweren.',
        uk: (contact) =>
          `Sie können sich${contact && ` unter ${contact}`} bei uns beschweren. Sie können sich auch beim Information Commissioner beschweren.`,
        ccpa: () =>
          'Sie können sich bei der California Privacy Protection Agency oder beim Attorney General von Kalifornien beschweren.',
      },
    },
  },
  closed: {
    title: 'Zurzeit können Sie hier keinen Antrag stellen',
    text: 'Sie können Ihre Rechte trotzdem ausüben, indem Sie uns schreiben.',
    write: (address) => `Schreiben Sie an ${address}.`,
  },
  errors: {
    title: 'Bitte prüfen Sie Ihre Angaben',
    type: 'Wählen Sie aus, was Sie tun möchten.',
    email: 'Geben Sie eine E-Mail-Adresse an, zum Beispiel name@example.com.',
    tooLong: (limit) => `Geben Sie höchstens ${limit} Zeichen ein.`,
    trap: 'Ein verborgenes Feld wurde ausgefüllt, was meist auf ein Programm hindeutet. Wenn Sie ein Mensch sind, senden Sie das Formular bitte noch einmal.',
    tooMany:
      'Aus Ihrem Netz kamen zu viele Anfragen. Warten Sie eine Minute und senden Sie das Formular dann noch einmal.',
    fault:
      'Wir konnten Ihren Antrag nicht speichern. Ihre Eingaben sind noch da: Bitte senden Sie das Formular gleich noch einmal.',
  },
  sent: {
    title: 'Wir haben Ihren Antrag erhalten',
    lead: 'Bewahren Sie dieses Aktenzeichen auf. Sie brauchen es, um den Bearbeitungsstand Ihres Antrags anzusehen.',
    reference: 'Aktenzeichen',
    deadline: 'Wir antworten bis',
    overdue: 'Frist abgelaufen am',
    copyHint: 'Markieren Sie das Aktenzeichen, um es zu kopieren, oder drucken Sie diese Seite.',
    next: 'Wie es weitergeht',
    steps: (deadline, isStarted) => [
      `Sie erhalten eine E-Mail von uns, meist sofort und spätestens innerhalb einer Stunde. ${isStarted ? '' : 'Öffnen Sie den Link darin, um Ihre E-Mail-Adresse zu bestätigen. '}Kommt sie nicht an, sehen Sie im Spam-Ordner nach.`,
      isStarted
        ? 'Sie brauchen Ihren Antrag nicht zu bestätigen. Wir bearbeiten ihn bereits.'
        : 'Nach Ihrer Bestätigung bearbeiten wir Ihren Antrag. Bis dahin geben wir keine Daten heraus und löschen keine.',
      `Wir antworten bis zum ${deadline}.`,
    ],
  },
  status: {
    title: 'Bearbeitungsstand Ihres Antrags',
    lead: 'Geben Sie Ihr Aktenzeichen und die E-Mail-Adresse an, die Sie für den Antrag verwendet haben.',
    reference: 'Aktenzeichen',
    referenceHint: 'Zum Beispiel DSR-20261121-7K2M9Q. Es steht in unseren E-Mails.',
    email: 'E-Mail-Adresse',
    emailHint: 'Die Adresse, die Sie für den Antrag verwendet haben.',
    show: 'Stand anzeigen',
    unknown:
      'Wir finden keinen Antrag mit diesem Aktenzeichen und dieser E-Mail-Adresse. Bitte prüfen Sie beides; es steht in unserer E-Mail.',
    found: 'Ihr Antrag',
    request: 'Antrag',
    state: 'Stand',
    submitted: 'Eingegangen am',
    completed: 'Abgeschlossen am',
    states: {
      received: { label: 'Eingegangen', text: 'Ihr Antrag ist bei uns eingegangen.' },
      in_progress: { label: 'In Bearbeitung', text: 'Wir bearbeiten Ihren Antrag.' },
      on_hold: {
        label: 'Angehalten',
        text: 'Was wir benötigen und wie Sie es uns senden, steht in unserer E-Mail.',
      },
      completed: {
        label: 'Abgeschlossen',
        text: 'Ihr Antrag ist abgeschlossen. Das Ergebnis steht in unserer E-Mail.',
      },
      rejected: {
        label: 'Abgelehnt',
        text: 'Wir konnten Ihrem Antrag nicht entsprechen. Der Grund steht in unserer E-Mail.',
      },
      withdrawn: {
        label: 'Zurückgezogen',
        text: 'Der Antrag wurde zurückgezogen. Wir bearbeiten ihn nicht weiter.',
      },
    },
    expired: {
      label: 'Geschlossen',
      text: 'Der Antrag wurde geschlossen, weil er nicht bestätigt wurde. Wir bearbeiten ihn nicht weiter.',
    },
    unconfirmed:
      'Bestätigen Sie Ihre E-Mail-Adresse mit dem neuesten Bestätigungslink, den wir Ihnen gesendet haben, damit wir beginnen können. Funktioniert er nicht mehr, wenden Sie sich an uns und bitten Sie um einen neuen.',
    withdraw: 'Diesen Antrag zurückziehen',
    withdrawHint:
      'Wir senden Ihnen einen Link per E-Mail. Ihr Antrag ist erst zurückgezogen, wenn Sie diesen Link benutzen.',
    another: 'Einen anderen Antrag ansehen',
    toForm: 'Neuen Antrag stellen',
  },
  confirm: {
    title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: 'Bestätigen Sie mit der Schaltfläche, dass der Antrag von Ihnen ist und diese E-Mail-Adresse Ihnen gehört. Wenn nicht, schließen Sie diese Seite: Dann geschieht nichts.',
    button: 'E-Mail-Adresse bestätigen',
    done: 'Ihre E-Mail-Adresse ist bestätigt',
    doneText: 'Wir bearbeiten jetzt Ihren Antrag. Sie brauchen nichts weiter zu tun.',
    doneOnHold: 'Ihr Antrag ist zurzeit angehalten. Den Grund nennt unsere E-Mail dazu.',
  },
  download: {
    title: 'Ihre Daten stehen bereit',
    text: 'Sie erhalten eine ZIP-Datei. Öffnen Sie darin index.html, um Ihre Daten zu lesen. Der Link funktioniert nur einmal: Benutzen Sie daher Ihr eigenes Gerät.',
    button: 'Meine Daten herunterladen',
    keep: 'Die Datei enthält Ihre personenbezogenen Daten. Bewahren Sie sie sicher auf, oder löschen Sie sie, wenn Sie sie gelesen haben.',
  },
  withdraw: {
    title: 'Ihren Antrag zurückziehen',
    text: 'Mit der Schaltfläche ziehen Sie Ihren Antrag zurück. Wir bearbeiten ihn dann nicht weiter. Sie können jederzeit einen neuen stellen. Wenn Sie Ihren Antrag behalten möchten, schließen Sie diese Seite.',
    button: 'Meinen Antrag zurückziehen',
    done: 'Ihr Antrag ist zurückgezogen',
    doneText: 'Wir bearbeiten ihn nicht weiter. Sie können jederzeit einen neuen stellen.',
    sent: 'Bitte sehen Sie in Ihre E-Mails',
    sentText:
      'Wir haben Ihnen jetzt oder in der letzten Stunde eine E-Mail gesendet. Öffnen Sie den Link darin, um Ihren Antrag zurückzuziehen. Finden Sie sie nicht, sehen Sie im Spam-Ordner nach, oder versuchen Sie es in einer Stunde noch einmal. Solange Sie den Link nicht benutzen, bleibt Ihr Antrag, wie er ist.',
  },
  over: {
    title: 'Dieser Link gilt nicht mehr',
    withdraw:
      'Der Link wurde verwendet, durch einen neueren ersetzt oder ist älter als sieben Tage, oder der Antrag wurde inzwischen abgeschlossen.',
    confirm:
      'Der Link wurde verwendet, durch einen neueren ersetzt oder ist älter als sieben Tage, oder der Antrag wurde inzwischen abgeschlossen. Wenn Sie Ihre E-Mail-Adresse schon bestätigt haben, brauchen Sie nichts zu tun. Wenn nicht, wenden Sie sich an uns und bitten Sie um einen neuen Link.',
    contact: (writeTo) =>
      writeTo
        ? `So erreichen Sie uns: ${writeTo}.`
        : 'So erreichen Sie uns: Stellen Sie einen neuen Antrag und nennen Sie darin das Aktenzeichen dieses Antrags.',
    download: {
      unknown:
        'Der Link ist unvollständig oder falsch. Kopieren Sie den ganzen Link aus unserer E-Mail.',
      used: 'Der Link wurde bereits verwendet. Wenn Sie Ihre Datei nicht haben, wenden Sie sich an uns und bitten Sie um einen neuen Link.',
      expired:
        'Der Link war sieben Tage gültig. Wenn Sie Ihre Datei nicht haben, wenden Sie sich an uns und bitten Sie um einen neuen Link.',
      revoked:
        'Wir haben diesen Link zurückgezogen, weil sich der Stand Ihres Antrags geändert hat. Den Bearbeitungsstand sehen Sie unten.',
      replaced:
        'Ein neuerer Link hat diesen ersetzt. Verwenden Sie den Link in unserer letzten E-Mail.',
      deleted:
        'Ihre Datei wurde gelöscht: Wir bewahren sie nur kurze Zeit auf. Wenn Sie sie nicht haben, wenden Sie sich an uns und bitten Sie um eine neue Kopie.',
    },
  },
  faults: {
    notFound: {
      title: 'Seite nicht gefunden',
      text: 'Prüfen Sie die Adresse. Wenn Sie einen Link aus einer E-Mail benutzt haben, kopieren Sie den ganzen Link.',
    },
    tooMany: {
      title: 'Zu viele Anfragen',
      text: 'Aus Ihrem Netz kamen zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    },
    unavailable: {
      title: 'Der Dienst ist vorübergehend nicht erreichbar',
      text: 'Versuchen Sie es gleich noch einmal. Anträge, die Sie schon gesendet haben, sind sicher.',
    },
    other: {
      title: 'Es ist ein Fehler aufgetreten',
      text: 'Gehen Sie zurück und versuchen Sie es noch einmal.',
    },
  },
};
