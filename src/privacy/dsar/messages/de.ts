import type { MailPart } from '../../../mail/index.ts';
import { formatDay } from '../../../platform/clock.ts';
import { holdText } from '../hold-texts.ts';
import { reportDe, tellGround, tellReport } from './report/index.ts';
import type { CaseFacts, Language, Listed } from './words.ts';

const TYPES = {
  access: 'Auskunft über Ihre personenbezogenen Daten',
  deletion: 'Löschung Ihrer personenbezogenen Daten',
  rectification: 'Berichtigung Ihrer personenbezogenen Daten',
  portability: 'Ihre personenbezogenen Daten in übertragbarer Form',
  objection: 'Widerspruch gegen die Verarbeitung Ihrer personenbezogenen Daten',
} as const;

const CHANNELS = {
  web: 'über unsere Website',
  email: 'per E-Mail',
  phone: 'per Telefon',
  letter: 'per Brief',
  in_person: 'persönlich',
  representative: 'durch eine Vertretung',
} as const;

const subject = ({ reference }: CaseFacts, text: string) => `${text} [${reference}]`;
const answered = ({ reference, requestType }: CaseFacts) => ({
  facts: [
    ['Aktenzeichen', reference],
    ['Anliegen', TYPES[requestType]],
  ] as const,
});
const factsOf = (facts: CaseFacts) => ({
  facts: [
    ...answered(facts).facts,
    ['Wir antworten bis', formatDay('de', facts.deadline)],
  ] as const,
});
/** DSGVO Art. 12 Abs. 4, Art. 77 und 79. */
const RIGHTS =
  'Wenn Sie nicht einverstanden sind, können Sie sich bei einer Datenschutzaufsichtsbehörde beschweren und Rechtsschutz bei einem Gericht suchen.';
const QUESTIONS = {
  identity:
    'Bitte nennen Sie uns etwas, das zeigt, dass die Daten Ihre sind, zum Beispiel eine Kunden- oder Bestellnummer.',
  clarification: 'Bitte schreiben Sie uns genauer, worum es Ihnen geht.',
};

/** Wie geantwortet werden kann: per E-Mail nur, wo sie jemand empfängt. */
function howToAnswer({ replyTo, controller, reference, formUrl }: CaseFacts): MailPart[] {
  if (replyTo) return ['Bitte antworten Sie auf diese E-Mail.'];
  const { name, address } = controller;
  if (address) {
    const to = [name, address].filter(Boolean).join('\n');
    return [
      `Bitte antworten Sie per Brief und nennen Sie das Aktenzeichen ${reference}. Schreiben Sie an:\n${to}`,
    ];
  }
  return [
    `Antworten auf diese E-Mail werden nicht empfangen. Bitte senden Sie uns Ihre Antwort mit dem Formular und nennen Sie dort das Aktenzeichen ${reference}.`,
    { link: formUrl, label: 'Formular öffnen' },
  ];
}

const toSite = ([first]: readonly Listed[]): string => (first ? ` an ${first.facts.site}` : '');

/** Womit jedes Anliegen bestätigt wird; zuletzt, wo ihr Stand steht. */
const confirmEach = (requests: readonly Listed[]): MailPart[] => [
  'Bestätigen Sie nur die Anliegen, die Sie selbst gesendet haben. Bis dahin geben wir dafür nichts heraus und löschen nichts. Jeder Link gilt einmal, sieben Tage lang. Wenn keines von Ihnen ist, tun Sie einfach nichts.',
  ...requests.flatMap(({ facts, link }): MailPart[] => [
    factsOf(facts),
    { link, label: `${facts.reference} bestätigen` },
  ]),
  ...requests.slice(0, 1).map(({ facts }) => ({
    link: facts.statusUrl,
    label: 'Stand eines Anliegens ansehen',
  })),
];

export const de: Language = {
  dpo: 'Datenschutzbeauftragte Person',
  acknowledgement: (facts, confirmUrl) => ({
    subject: subject(facts, 'Wir haben Ihr Anliegen erhalten'),
    parts: [
      `Guten Tag,\nwir haben von dieser E-Mail-Adresse ein Datenschutz-Anliegen an ${facts.site} erhalten.`,
      factsOf(facts),
      'Bitte bestätigen Sie, dass die Adresse Ihre ist. Bis dahin geben wir nichts heraus und löschen nichts.',
      { link: confirmUrl, label: 'Meine Adresse bestätigen' },
      'Der Link gilt einmal, sieben Tage lang. Wenn das Anliegen nicht von Ihnen ist, tun Sie einfach nichts.',
      { link: facts.statusUrl, label: 'Stand Ihres Anliegens ansehen' },
    ],
  }),
  acknowledgements: (requests) => ({
    subject: `Wir haben ${requests.length} Anliegen erhalten`,
    parts: [
      `Guten Tag,\nwir haben von dieser E-Mail-Adresse ${requests.length} Datenschutz-Anliegen${toSite(requests)} erhalten. Sie bekommen dazu eine gemeinsame E-Mail.`,
      ...confirmEach(requests),
    ],
  }),
  allUnconfirmed: (requests) => ({
    subject: `Bitte bestätigen Sie Ihre Anliegen (${requests.length})`,
    parts: [
      `Guten Tag,\n${requests.length} Datenschutz-Anliegen von dieser E-Mail-Adresse${toSite(requests)} sind noch nicht bestätigt.`,
      ...confirmEach(requests),
      'Sie bekommen keine weitere Erinnerung an diese Anliegen.',
    ],
  }),
  entered: (facts, { channel, receivedOn, confirmUrl }) => ({
    subject: subject(facts, 'Wir haben Ihr Anliegen erhalten'),
    parts: [
      `Guten Tag,\nwir haben Ihr Anliegen an ${facts.site} am ${formatDay('de', receivedOn)} ${CHANNELS[channel]} erhalten.`,
      factsOf(facts),
      ...(confirmUrl
        ? [
            'Bitte bestätigen Sie, dass diese Adresse Ihre ist. Bis dahin geben wir keine Daten heraus und löschen keine.',
            { link: confirmUrl, label: 'Meine Adresse bestätigen' },
            'Der Link gilt einmal, sieben Tage lang. Wenn dieses Anliegen nicht von Ihnen ist, brauchen Sie nichts zu tun.',
          ]
        : []),
      {
        link: facts.statusUrl,
        label: 'Den Stand Ihres Anliegens mit Aktenzeichen und Adresse ansehen',
      },
    ],
  }),
  unconfirmed: (facts, confirmUrl) => ({
    subject: subject(facts, 'Bitte bestätigen Sie Ihre Adresse'),
    parts: [
      'Guten Tag,\nIhr Datenschutz-Anliegen ist noch nicht bestätigt. Bitte bestätigen Sie, dass diese Adresse Ihre ist.',
      factsOf(facts),
      { link: confirmUrl, label: 'Meine Adresse bestätigen' },
      'Der Link gilt einmal, sieben Tage lang. Wenn das Anliegen nicht von Ihnen ist, tun Sie einfach nichts. Sie bekommen keine weitere Erinnerung, und ein Anliegen, das niemand bestätigt, wird nach 30 Tagen geschlossen.',
    ],
  }),
  expired: (requests) => ({
    subject:
      requests.length === 1 && requests[0]
        ? subject(requests[0], 'Ihr Anliegen ist abgelaufen')
        : `Ihre Anliegen sind abgelaufen (${requests.length})`,
    parts: [
      'Guten Tag,\nniemand hat diese E-Mail-Adresse innerhalb von 30 Tagen bestätigt. Deshalb haben wir Folgendes geschlossen und keine Daten herausgegeben oder gelöscht.',
      ...requests.map(answered),
      'Wenn ein Anliegen von Ihnen war, können Sie jederzeit ein neues stellen.',
      ...requests
        .slice(0, 1)
        .map(({ formUrl }) => ({ link: formUrl, label: 'Neues Anliegen stellen' })),
    ],
  }),
  newConfirmLink: (facts, confirmUrl) => ({
    subject: subject(facts, 'Ihr neuer Bestätigungslink'),
    parts: [
      'Guten Tag,\nmit diesem neuen Link bestätigen Sie, dass Ihr Datenschutz-Anliegen von dieser Adresse kommt. Frühere Links gelten nicht mehr.',
      factsOf(facts),
      { link: confirmUrl, label: 'Meine Adresse bestätigen' },
      'Der Link gilt einmal, sieben Tage lang. Wenn das Anliegen nicht von Ihnen ist, tun Sie einfach nichts.',
    ],
  }),
  newDownloadLink: (facts, downloadUrl) => ({
    subject: subject(facts, 'Ihr neuer Download-Link'),
    parts: [
      'Guten Tag,\nmit diesem neuen Link bekommen Sie Ihre Daten. Frühere Links gelten nicht mehr.',
      answered(facts),
      { link: downloadUrl, label: 'Meine Daten abholen' },
      'Der Link gilt einmal, sieben Tage lang. Die Datei enthält Ihre personenbezogenen Daten: Bewahren Sie sie sicher auf.',
    ],
  }),
  started: (facts) => ({
    subject: subject(facts, 'Wir bearbeiten Ihr Anliegen'),
    parts: ['Guten Tag,\nwir haben begonnen, Ihr Anliegen zu bearbeiten.', factsOf(facts)],
  }),
  paused: (facts, reason) => ({
    subject: subject(facts, 'Ihr Anliegen muss warten'),
    parts: [
      `Guten Tag,\n${holdText('de', facts.hold)}`,
      ...(reason ? [reason] : []),
      answered(facts),
    ],
  }),
  asked: (facts, question) => ({
    subject: subject(facts, 'Wir brauchen etwas von Ihnen'),
    parts: [
      `Guten Tag,\n${holdText('de', facts.hold)}`,
      ...(question
        ? [question]
        : [QUESTIONS[facts.hold.ground === 'identity' ? 'identity' : 'clarification']]),
      ...howToAnswer(facts),
      answered(facts),
    ],
  }),
  extended: (facts, reason) => ({
    subject: subject(facts, 'Ihr Anliegen braucht mehr Zeit'),
    parts: [
      'Guten Tag,\nwir können Ihr Anliegen nicht in der üblichen Zeit beantworten. Der Grund:',
      reason,
      factsOf(facts),
      RIGHTS,
    ],
  }),
  completed: (facts, completion) => {
    const { downloadUrl } = completion;
    const { parts, isPartial } = tellReport(reportDe, facts.requestType, completion);
    return {
      subject: subject(facts, 'Ihr Anliegen ist erledigt'),
      parts: [
        'Guten Tag,\nIhr Anliegen ist erledigt.',
        answered(facts),
        ...(downloadUrl
          ? [
              { link: downloadUrl, label: 'Meine Daten abholen' },
              'Der Link gilt einmal, sieben Tage lang. Was Sie bekommen, ist nur für Sie: Bewahren Sie es sicher auf.',
            ]
          : []),
        ...parts,
        ...(isPartial ? [RIGHTS] : []),
      ],
    };
  },
  rejected: (facts, refusal) => ({
    subject: subject(facts, 'Wir können Ihrem Anliegen nicht nachkommen'),
    parts: [
      'Guten Tag,\nwir haben Ihr Anliegen geprüft und können ihm nicht nachkommen. Der Grund:',
      ...tellGround(reportDe, refusal),
      answered(facts),
      RIGHTS,
    ],
  }),
  withdrawal: (facts, withdrawUrl) => ({
    subject: subject(facts, 'Ihr Anliegen zurückziehen?'),
    parts: [
      'Guten Tag,\nwir wurden gebeten, Ihr Anliegen als zurückgezogen zu behandeln. Das tun wir nur, wenn Sie es bestätigen.',
      answered(facts),
      { link: withdrawUrl, label: 'Mein Anliegen zurückziehen' },
      'Der Link gilt einmal, sieben Tage lang. Wenn Sie Ihr Anliegen behalten möchten, brauchen Sie nichts zu tun: Es ändert sich nichts.',
    ],
  }),
  withdrawn: (facts) => ({
    subject: subject(facts, 'Ihr Anliegen ist zurückgezogen'),
    parts: [
      'Guten Tag,\nIhr Anliegen ist zurückgezogen, und wir tun nichts weiter. Sie können jederzeit ein neues stellen.',
      answered(facts),
    ],
  }),
};
