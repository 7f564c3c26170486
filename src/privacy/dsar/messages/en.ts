import type { MailPart } from '../../../mail/index.ts';
import { formatDay } from '../../../platform/clock.ts';
import { holdText } from '../hold-texts.ts';
import { reportEn, tellGround, tellReport } from './report/index.ts';
import type { CaseFacts, Language, Listed } from './words.ts';

const TYPES = {
  access: 'access to your personal data',
  deletion: 'deletion of your personal data',
  rectification: 'correction of your personal data',
  portability: 'your personal data in a portable form',
  objection: 'objection to the use of your personal data',
} as const;

const CHANNELS = {
  web: 'on our website',
  email: 'by email',
  phone: 'by telephone',
  letter: 'by letter',
  in_person: 'in person',
  representative: 'from a representative',
} as const;

const subject = ({ reference }: CaseFacts, text: string) => `${text} [${reference}]`;
const answered = ({ reference, requestType }: CaseFacts) => ({
  facts: [
    ['Reference', reference],
    ['Request', TYPES[requestType]],
  ] as const,
});
const factsOf = (facts: CaseFacts) => ({
  facts: [...answered(facts).facts, ['We answer by', formatDay('en', facts.deadline)]] as const,
});
/** GDPR Art. 12(4), 77 and 79. */
const RIGHTS =
  'If you do not agree, you can lodge a complaint with a data protection authority (supervisory authority), and you can go to court.';
const QUESTIONS = {
  identity:
    'Please tell us something that shows that the data are yours, for example a customer number or an order number.',
  clarification: 'Please tell us in more detail what your request is about.',
};

/** How the requestor can answer: by email only where somebody receives it. */
function howToAnswer({ replyTo, controller, reference, formUrl }: CaseFacts): MailPart[] {
  if (replyTo) return ['Please answer this email.'];
  const { name, address } = controller;
  if (address) {
    const to = [name, address].filter(Boolean).join('\n');
    return [`Please answer by letter and state the reference ${reference}. Write to:\n${to}`];
  }
  return [
    `Answers to this email are not received. Please send us your answer with the request form and state the reference ${reference} there.`,
    { link: formUrl, label: 'Open the request form' },
  ];
}

const toSite = ([first]: readonly Listed[]): string => (first ? ` to ${first.facts.site}` : '');

/** What confirms each request; the last is where their status is shown. */
const confirmEach = (requests: readonly Listed[]): MailPart[] => [
  'Confirm only the requests that you sent yourself. Until then we do not hand out or delete anything for them. Each link works once, for seven days. If you sent none, ignore this email.',
  ...requests.flatMap(({ facts, link }): MailPart[] => [
    factsOf(facts),
    { link, label: `Confirm ${facts.reference}` },
  ]),
  ...requests.slice(0, 1).map(({ facts }) => ({
    link: facts.statusUrl,
    label: 'Check the status of a request',
  })),
];

export const en: Language = {
  dpo: 'Data protection officer',
  acknowledgement: (facts, confirmUrl) => ({
    subject: subject(facts, 'We have received your request'),
    parts: [
      `Hello,\nwe received a privacy request to ${facts.site} from this email address.`,
      factsOf(facts),
      'Please confirm that this address is yours. Until then we do not hand out or delete anything.',
      { link: confirmUrl, label: 'Confirm my address' },
      'The link works once, for seven days. If you did not send the request, ignore this email.',
      { link: facts.statusUrl, label: 'Check the status of your request' },
    ],
  }),
  acknowledgements: (requests) => ({
    subject: `We have received ${requests.length} requests`,
    parts: [
      `Hello,\nwe received ${requests.length} privacy requests from this email address${toSite(requests)}. You get one email about all of them.`,
      ...confirmEach(requests),
    ],
  }),
  allUnconfirmed: (requests) => ({
    subject: `Please confirm your requests (${requests.length})`,
    parts: [
      `Hello,\n${requests.length} privacy requests from this email address${toSite(requests)} are not confirmed yet.`,
      ...confirmEach(requests),
      'You will get no other reminder of these requests.',
    ],
  }),
  entered: (facts, { channel, receivedOn, confirmUrl }) => ({
    subject: subject(facts, 'We have received your request'),
    parts: [
      `Hello,\nwe received your request to ${facts.site} of ${formatDay('en', receivedOn)} ${CHANNELS[channel]}.`,
      factsOf(facts),
      ...(confirmUrl
        ? [
            'Please confirm that this address is yours. Until then we do not send or delete any data.',
            { link: confirmUrl, label: 'Confirm my address' },
            'The link works once, for seven days. If you did not make this request, ignore this email.',
          ]
        : []),
      {
        link: facts.statusUrl,
        label: 'Check the status of your request with the reference and this address',
      },
    ],
  }),
  unconfirmed: (facts, confirmUrl) => ({
    subject: subject(facts, 'Please confirm your address'),
    parts: [
      'Hello,\nyour privacy request is not confirmed yet. Please confirm that this address is yours.',
      factsOf(facts),
      { link: confirmUrl, label: 'Confirm my address' },
      'The link works once, for seven days. If you did not send the request, ignore this email. You will get no other reminder, and a request that nobody confirms is closed after 30 days.',
    ],
  }),
  expired: (requests) => ({
    subject:
      requests.length === 1 && requests[0]
        ? subject(requests[0], 'Your request has expired')
        : `Your requests have expired (${requests.length})`,
    parts: [
      'Hello,\nnobody confirmed this email address within 30 days. We have therefore closed the following, and have not sent or deleted any data.',
      ...requests.map(answered),
      'If a request was yours, you can send a new one at any time.',
      ...requests
        .slice(0, 1)
        .map(({ formUrl }) => ({ link: formUrl, label: 'Send a new request' })),
    ],
  }),
  newConfirmLink: (facts, confirmUrl) => ({
    subject: subject(facts, 'Your new confirmation link'),
    parts: [
      'Hello,\nhere is a new link to confirm that your privacy request was sent from this address. Earlier links no longer work.',
      factsOf(facts),
      { link: confirmUrl, label: 'Confirm my address' },
      'The link works once, for seven days. If you did not send the request, ignore this email.',
    ],
  }),
  newDownloadLink: (facts, downloadUrl) => ({
    subject: subject(facts, 'Your new download link'),
    parts: [
      'Hello,\nhere is a new link to your data. Earlier links no longer work.',
      answered(facts),
      { link: downloadUrl, label: 'Get my data' },
      'The link works once, for seven days. The file contains your personal data: keep it safe.',
    ],
  }),
  started: (facts) => ({
    subject: subject(facts, 'We are working on your request'),
    parts: ['Hello,\nwe have begun to work on your request.', factsOf(facts)],
  }),
  asked: (facts, question) => ({
    subject: subject(facts, 'We need something from you'),
    parts: [
      `Hello,\n${holdText('en', facts.hold)}`,
      ...(question
        ? [question]
        : [QUESTIONS[facts.hold.ground === 'identity' ? 'identity' : 'clarification']]),
      ...howToAnswer(facts),
      answered(facts),
    ],
  }),
  paused: (facts, reason) => ({
    subject: subject(facts, 'Your request has to wait'),
    parts: [`Hello,\n${holdText('en', facts.hold)}`, ...(reason ? [reason] : []), answered(facts)],
  }),
  extended: (facts, reason) => ({
    subject: subject(facts, 'Your request needs more time'),
    parts: [
      'Hello,\nwe cannot answer your request within the usual time. The reason is:',
      reason,
      factsOf(facts),
      RIGHTS,
    ],
  }),
  completed: (facts, completion) => {
    const { downloadUrl } = completion;
    const { parts, isPartial } = tellReport(reportEn, facts.requestType, completion);
    return {
      subject: subject(facts, 'Your request is completed'),
      parts: [
        'Hello,\nyour request is completed.',
        answered(facts),
        ...(downloadUrl
          ? [
              { link: downloadUrl, label: 'Get my data' },
              'The link works once, for seven days. What you get is for your eyes: keep it safe.',
            ]
          : []),
        ...parts,
        ...(isPartial ? [RIGHTS] : []),
      ],
    };
  },
  rejected: (facts, refusal) => ({
    subject: subject(facts, 'We cannot do what you ask for'),
    parts: [
      'Hello,\nwe have looked at your request and cannot comply with it. The reason is:',
      ...tellGround(reportEn, refusal),
      answered(facts),
      RIGHTS,
    ],
  }),
  withdrawal: (facts, withdrawUrl) => ({
    subject: subject(facts, 'Withdraw your request?'),
    parts: [
      'Hello,\nwe received an instruction to withdraw your request. We do so only if you confirm it.',
      answered(facts),
      { link: withdrawUrl, label: 'Withdraw my request' },
      'The link works once, for seven days. If you want to keep your request, ignore this email: nothing changes.',
    ],
  }),
  withdrawn: (facts) => ({
    subject: subject(facts, 'Your request is withdrawn'),
    parts: [
      'Hello,\nyour request is withdrawn, and we do nothing more about it. You may make a new one at any time.',
      answered(facts),
    ],
  }),
};
