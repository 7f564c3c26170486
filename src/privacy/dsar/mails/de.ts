import type { CaseFacts, Language } from './words.ts';

const TYPES = {
  access: 'Auskunft über Ihre personenbezogenen Daten',
  deletion: 'Löschung Ihrer personenbezogenen Daten',
  rectification: 'Berichtigung Ihrer personenbezogenen Daten',
  portability: 'Ihre personenbezogenen Daten in übertragbarer Form',
  objection: 'Widerspruch gegen die Verarbeitung Ihrer personenbezogenen Daten',
} as const;

const subject = ({ reference }: CaseFacts, text: string) => `${text} [${reference}]`;
const factsOf = ({ reference, requestType, deadline }: CaseFacts) => ({
  facts: [
    ['Aktenzeichen', reference],
    ['Anliegen', TYPES[requestType]],
    ['Wir antworten bis', deadline],
  ] as const,
});
const RIGHTS =
  'Wenn Sie nicht einverstanden sind, können Sie sich bei einer Datenschutzaufsichtsbehörde beschweren oder vor Gericht gehen.';

export const de: Language = {
  acknowledgement: (facts, confirmUrl) => ({
    subject: subject(facts, 'Wir haben Ihr Anliegen erhalten'),
    parts: [
      `Guten Tag,\njemand, vermutlich Sie, hat mit dieser E-Mail-Adresse ein Datenschutz-Anliegen an ${facts.site} geschickt.`,
      factsOf(facts),
      'Bitte bestätigen Sie, dass die Adresse Ihre ist. Bis dahin geben wir nichts heraus und löschen nichts.',
      { link: confirmUrl, label: 'Meine Adresse bestätigen' },
      'Der Link gilt einmal, sieben Tage lang. Wenn Sie das nicht waren, tun Sie einfach nichts.',
      {
        link: facts.statusUrl,
        label: 'Hier sehen Sie mit Aktenzeichen und Adresse, wie weit wir sind',
      },
    ],
  }),
  unconfirmed: (facts, confirmUrl) => ({
    subject: subject(facts, 'Bitte bestätigen Sie Ihre Adresse'),
    parts: [
      'Guten Tag,\nIhr Anliegen wartet auf Sie: Bitte bestätigen Sie, dass diese Adresse Ihre ist.',
      factsOf(facts),
      { link: confirmUrl, label: 'Meine Adresse bestätigen' },
      'Der Link gilt einmal, sieben Tage lang. Wenn Sie das nicht waren, tun Sie einfach nichts; es kommt keine weitere E-Mail.',
    ],
  }),
  started: (facts) => ({
    subject: subject(facts, 'Wir bearbeiten Ihr Anliegen'),
    parts: ['Guten Tag,\nwir haben begonnen, Ihr Anliegen zu bearbeiten.', factsOf(facts)],
  }),
  paused: (facts, reason) => ({
    subject: subject(facts, 'Wir brauchen etwas von Ihnen'),
    parts: [
      'Guten Tag,\nbevor wir Ihr Anliegen weiter bearbeiten können, müssen wir etwas klären.',
      ...(reason ? [reason] : []),
      'Bitte antworten Sie auf diese E-Mail.',
      factsOf(facts),
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
  completed: (facts, { downloadUrl, report }) => ({
    subject: subject(facts, 'Ihr Anliegen ist erledigt'),
    parts: [
      'Guten Tag,\nIhr Anliegen ist erledigt.',
      factsOf(facts),
      ...(downloadUrl
        ? [
            { link: downloadUrl, label: 'Meine Daten abholen' },
            'Der Link gilt einmal, sieben Tage lang. Was Sie bekommen, ist nur für Sie: Bewahren Sie es sicher auf.',
          ]
        : []),
      ...(report.length > 0
        ? [
            'Das haben wir getan:',
            {
              facts: report.map(
                ({ label, erased, anonymised, kept }) =>
                  [
                    label,
                    `${erased} gelöscht, ${anonymised} anonymisiert, ${kept} behalten`,
                  ] as const,
              ),
            },
            'Was wir behalten, müssen wir aufbewahren oder brauchen es noch für das, was Sie bei uns haben.',
          ]
        : []),
    ],
  }),
  rejected: (facts, reason) => ({
    subject: subject(facts, 'Wir können Ihrem Anliegen nicht nachkommen'),
    parts: [
      'Guten Tag,\nwir haben Ihr Anliegen geprüft und können ihm nicht nachkommen. Der Grund:',
      reason,
      factsOf(facts),
      RIGHTS,
    ],
  }),
  withdrawn: (facts) => ({
    subject: subject(facts, 'Ihr Anliegen ist zurückgezogen'),
    parts: [
      'Guten Tag,\nIhr Anliegen ist zurückgezogen, und wir tun nichts weiter. Sie können jederzeit ein neues stellen.',
      factsOf(facts),
    ],
  }),
};
