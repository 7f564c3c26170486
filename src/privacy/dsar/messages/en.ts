import type { Channel, RequestType, RightsLaw } from '../rules.ts';

const LINK_TERMS = 'The link works once and is valid for seven days.';
const NOT_YOURS = `${LINK_TERMS} If you did not make this request, ignore this email.`;

/** Every text of the emails to requesters, except reports of what was done. */
export const en = {
  language: 'en',
  greeting: 'Hello,',
  /** A sentence after the greeting. */
  afterGreeting: (sentence: string) => sentence,
  dpo: 'Data protection officer',
  types: {
    access: 'Access to your personal data',
    deletion: 'Erasure of your personal data',
    rectification: 'Rectification of your personal data',
    portability: 'Transfer of your personal data',
    objection: 'Objection to the use of your personal data',
  } satisfies Record<RequestType, string>,
  /** An objection under the CCPA (Civ. Code 1798.120). */
  optOut: 'Opt-out of the sale and sharing of your personal information',
  channels: {
    web: 'through our website',
    email: 'by email',
    phone: 'by telephone',
    letter: 'by letter',
    in_person: 'in person',
    representative: 'through a representative',
  } satisfies Record<Channel, string>,
  facts: {
    reference: 'Reference',
    request: 'Request',
    deadline: 'We reply by',
    overdue: 'Deadline passed on',
  },
  labels: {
    confirm: 'Confirm my email address',
    confirmOne: (reference: string) => `Confirm ${reference}`,
    status: 'Check the status of your request',
    statusOfOne: 'Check the status of a request',
    statusWithReference: 'Check the status of your request with the reference and this address',
    form: 'Open the request form',
    newRequest: 'Make a new request',
    download: 'Download my data',
    withdraw: 'Withdraw my request',
  },
  linkTerms: (today: string) =>
    `The link works once and is valid for seven days from ${today}. The file contains your personal data: keep it safe.`,
  confirm: {
    address:
      'Please confirm that this email address is yours. Until then we do not disclose or delete any data.',
    /** Of a request to opt out under the CCPA (11 CCR §7026(d)). */
    notNeeded: 'You do not need to confirm this request. We are already working on it.',
    terms: NOT_YOURS,
    each: `Confirm only the requests that you made yourself. Until then we do not disclose or delete any data for them. Each link works once and is valid for seven days. If you made none of them, ignore this email.`,
  },
  /** GDPR Art. 12(4), 77 and 79; in the UK also Data Protection Act 2018 s.164A, since 19 June 2026. The CCPA gives individuals no action in court for this (Civ. Code 1798.150(c)). */
  remedies: {
    gdpr: () =>
      'If you do not agree, you can lodge a complaint with a data protection supervisory authority and seek a judicial remedy.',
    uk: (contact) =>
      `If you do not agree, you can complain to us${contact && ` at ${contact}`}. You can also complain to the Information Commissioner, and seek a judicial remedy.`,
    ccpa: () =>
      'If you do not agree, you can file a complaint with the California Privacy Protection Agency or the California Attorney General.',
  } as Record<RightsLaw, (contact: string) => string>,
  answer: {
    byEmail: 'Please reply to this email.',
    byLetter: (reference: string, address: string) =>
      `Please reply by letter and state the reference ${reference}. Write to:\n${address}`,
    withReference: (reference: string) => `Please state the reference ${reference} in your reply.`,
    byForm: (reference: string) =>
      `We do not receive replies to this email. Please send us your answer with the request form and state the reference ${reference} there.`,
  },
  questions: {
    identity:
      'Please tell us something that shows that the data is yours, for example a customer or order number.',
    clarification: 'Please describe your request in more detail.',
  },

  acknowledgement: {
    subject: 'We have received your request',
    text: (organisation: string) =>
      `We received a privacy request to ${organisation} from this email address.`,
  },
  acknowledgements: {
    subject: (count: number) => `We have received ${count} requests`,
    text: (count: number, organisation: string) =>
      `We received ${count} privacy requests to ${organisation} from this email address. This email covers all of them.`,
  },
  allUnconfirmed: {
    subject: (count: number) => `Please confirm your requests (${count})`,
    text: (count: number, organisation: string) =>
      `${count} privacy requests to ${organisation} from this email address are not confirmed yet.`,
    last: 'This is the only reminder of these requests.',
  },
  entered: {
    subject: 'We have received your request',
    text: (organisation: string, day: string, channel: string) =>
      `We received your request to ${organisation} on ${day} ${channel}.`,
  },
  unconfirmed: {
    subject: 'Please confirm your email address',
    text: 'Your privacy request is not confirmed yet. Please confirm that this email address is yours.',
    terms: `${NOT_YOURS} This is the only reminder.`,
    expires: 'We close requests that are not confirmed within 30 days.',
  },
  expired: {
    subject: 'Your request has expired',
    subjectOfMany: (count: number) => `Your requests have expired (${count})`,
    text: (count: number): string =>
      count === 1
        ? 'The following request was not confirmed within 30 days. We have therefore closed it and have not disclosed or deleted any data for it.'
        : 'The following requests were not confirmed within 30 days. We have therefore closed them and have not disclosed or deleted any data for them.',
    more: (count: number) => `And ${count} more.`,
    again: 'If a request was yours, you can make a new one at any time.',
  },
  newConfirmLink: {
    subject: 'Your new confirmation link',
    text: 'Here is a new link to confirm your privacy request. Earlier links no longer work.',
  },
  newDownloadLink: {
    subject: 'Your new download link',
    text: 'Here is a new link to download your data. Earlier links no longer work.',
  },
  started: {
    subject: 'We are working on your request',
    text: 'We have started work on your request.',
  },
  resumed: {
    subject: 'We continue with your request',
    text: 'Your request is no longer on hold. We continue to work on it.',
  },
  reopened: {
    subject: 'We have reopened your request',
    text: 'We have reopened your request and work on it again. The reason is:',
    links: 'Links to download your data that we sent you before no longer work.',
  },
  asked: { subject: 'We need more information from you' },
  paused: { subject: 'Your request is on hold' },
  extended: {
    subject: 'We need more time for your request',
    text: 'We have extended the deadline for your request. The reason is:',
  },
  completed: { subject: 'Your request is completed', text: 'We have completed your request.' },
  rejected: {
    subject: 'We cannot comply with your request',
    text: 'We have examined your request and cannot comply with it. The reason is:',
  },
  withdrawal: {
    subject: 'Confirm that you withdraw your request',
    text: 'We were asked to withdraw your request. We do this only if you confirm it.',
    terms: `${LINK_TERMS} To keep your request, ignore this email.`,
  },
  withdrawn: {
    subject: 'Your request is withdrawn',
    text: 'Your request is withdrawn. We no longer work on it. You can make a new one at any time.',
  },
};

/** The texts of the emails in one language. */
export type EmailTexts = typeof en;
