import type { LinkProblem } from '../export/download.ts';
import type { CaseStatus, RequestType, RightsLaw } from '../rules.ts';

const RIGHTS =
  'You have the right to access this data and to have it corrected, deleted or restricted.';
const OBJECTION =
  'Tell us below which use you object to. We stop direct marketing at once. For any other use, give the reasons that arise from your situation.';

/** The texts of the public pages, in plain language. */
export const en = {
  /** The language's own name, for the language switch. */
  name: 'English',
  skip: 'Skip to main content',
  brand: (organisation: string) => `Privacy requests to ${organisation}`,
  languages: 'Language',
  footer: (organisation: string) =>
    `${organisation} uses the information you send here only to handle your request.`,

  form: {
    title: 'Make a privacy request',
    lead: (organisation: string) =>
      `Ask ${organisation} for a copy of your personal data, or ask to have it corrected, deleted or no longer used. This is free of charge.`,
    what: 'What do you want to do?',
    types: {
      access: {
        label: 'Get a copy of my data',
        hint: 'You receive the personal data we hold about you and information on how we use it.',
      },
      deletion: {
        label: 'Delete my data',
        hint: 'We delete your personal data and tell you if we must keep any of it, and why.',
      },
      rectification: {
        label: 'Correct my data',
        hint: 'Tell us below what is wrong or incomplete.',
      },
      portability: {
        label: 'Transfer my data',
        hint: 'You receive the data you provided to us in a machine-readable format.',
      },
      objection: {
        label: 'Object to the use of my data',
        hint: {
          gdpr: OBJECTION,
          uk: OBJECTION,
          ccpa: 'Tell us below which use you object to, for example the sale or sharing of your personal information. You need not give reasons.',
        },
      },
    } satisfies Record<RequestType, object>,
    about: 'Your details',
    optional: '(optional)',
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email address',
    emailHint: 'Use the address you have given us before, if any. We reply to this address.',
    details: 'Details of your request',
    detailsHint:
      'For example, a customer number or what needs to be corrected. Do not include passwords.',
    trap: 'Leave this field empty',
    /** Shown if the browser can prove a visitor id. */
    visitor:
      'A request to get a copy of your data, to transfer or to delete it includes the cookie choices you made in this browser.',
    /** Shown if the browser states a visitor id without proof. */
    claimedVisitor:
      'If you ask us to copy, transfer or delete your data, we include the cookie choices made in this browser after we have checked that they are yours.',
    send: 'Send request',
    after:
      'We send you an email, with a link to confirm your address if that is needed. The next page shows the date by which we reply.',
    toStatus: 'Check the status of your request',
    toDeclaration: 'Cookies and third parties on our website',
  },
  notice: {
    title: 'How we use your information',
    controller: 'Controller',
    officer: 'Data protection officer',
    purpose: {
      label: 'Purpose',
      text: 'To answer your request and to be able to demonstrate our answer.',
    },
    basis: {
      label: 'Legal basis',
      gdpr: 'Compliance with a legal obligation: Art. 6(1)(c) in conjunction with Art. 12 to 22 GDPR.',
      uk: 'Compliance with a legal obligation: Art. 6(1)(c) in conjunction with Art. 12 to 22 UK GDPR.',
      other: 'Our legal obligation to answer your request.',
    },
    retention: {
      label: 'Retention period',
      rule: (period: string, action: 'anonymise' | 'delete') =>
        `Your request is ${action === 'delete' ? 'deleted' : 'anonymised'} ${period} after it is closed.`,
      /** If no policy sets a period. */
      unset:
        'No fixed period. We keep your request for as long as we must be able to demonstrate our answer.',
    },
    rights: {
      label: 'Your rights',
      gdpr: RIGHTS,
      uk: RIGHTS,
      ccpa: 'You have the right to know what personal information we have about you, to have it deleted or corrected, and to opt out of its sale and sharing.',
    },
    complaint: {
      label: 'Right to complain',
      by: {
        gdpr: () => 'You can lodge a complaint with a data protection supervisory authority.',
        uk: (contact) =>
          `You can complain to us${contact && ` at ${contact}`}. You can also complain to the Information Commissioner.`,
        ccpa: () =>
          'You can file a complaint with the California Privacy Protection Agency or the California Attorney General.',
      } as Record<RightsLaw, (contact: string) => string>,
    },
  },
  closed: {
    title: 'You cannot send a request here at the moment',
    text: 'You can still exercise your rights by writing to us.',
    write: (address: string) => `Write to ${address}.`,
  },
  errors: {
    title: 'There is a problem',
    type: 'Select what you want to do.',
    email: 'Enter an email address, for example name@example.com.',
    tooLong: (limit: number) => `Enter no more than ${limit} characters.`,
    trap: 'A hidden field was filled in, which usually means that a program sent the form. If you are a person, send the form again.',
    tooMany: 'Too many requests came from your network. Wait one minute, then send the form again.',
    fault:
      'We could not save your request. Your entries are still here: send the form again in a moment.',
  },
  sent: {
    title: 'We have received your request',
    lead: 'Keep this reference. You need it to check the status of your request.',
    reference: 'Reference',
    deadline: 'We reply by',
    overdue: 'Deadline passed on',
    copyHint: 'Select the reference to copy it, or print this page.',
    next: 'What happens next',
    /** @param isStarted whether we work on it without a confirmation */
    steps: (deadline: string, isStarted: boolean) => [
      `We send you an email, usually at once and within an hour at the latest. ${isStarted ? '' : 'Open the link in it to confirm your email address. '}If it does not arrive, check your spam folder.`,
      isStarted
        ? 'You do not need to confirm your request. We are already working on it.'
        : 'Once you have confirmed, we start work on your request. Until then we do not disclose or delete any data.',
      `We reply by ${deadline}.`,
    ],
  },
  status: {
    title: 'Check the status of your request',
    lead: 'Enter your reference and the email address you used for the request.',
    reference: 'Reference',
    referenceHint: 'For example, DSR-20261121-7K2M9Q. You find it in our emails.',
    email: 'Email address',
    emailHint: 'The address you used for the request.',
    show: 'Check status',
    unknown:
      'We cannot find a request with this reference and email address. Check both: they are in our email.',
    found: 'Your request',
    request: 'Request',
    state: 'Status',
    submitted: 'Received on',
    completed: 'Closed on',
    /** The text of `on_hold` follows the explanation of the hold if the person has to answer. */
    states: {
      received: { label: 'Received', text: 'We have received your request.' },
      in_progress: { label: 'In progress', text: 'We are working on your request.' },
      on_hold: { label: 'On hold', text: 'Our email says what we need and how to send it to us.' },
      completed: {
        label: 'Completed',
        text: 'Your request is completed. The result is in our email.',
      },
      rejected: {
        label: 'Refused',
        text: 'We could not comply with your request. The reason is in our email.',
      },
      withdrawn: {
        label: 'Withdrawn',
        text: 'This request was withdrawn. We no longer work on it.',
      },
    } satisfies Record<CaseStatus, object>,
    expired: {
      label: 'Closed',
      text: 'This request was closed because it was not confirmed. We no longer work on it.',
    },
    unconfirmed:
      'Confirm your email address with the newest confirmation link that we sent you, so that we can start. If it no longer works, contact us and ask for a new one.',
    withdraw: 'Withdraw this request',
    withdrawHint:
      'We send you a link by email. Your request is withdrawn only when you use that link.',
    another: 'Check another request',
    toForm: 'Make a new request',
  },
  confirm: {
    title: 'Confirm your email address',
    text: 'Select the button to confirm that you sent the request and that this email address is yours. If you did not send it, close this page: nothing happens.',
    button: 'Confirm my email address',
    done: 'Your email address is confirmed',
    doneText: 'We have started work on your request. You do not need to do anything else.',
    doneOnHold: 'Your request is on hold at the moment. The reason is in our email about it.',
  },
  download: {
    title: 'Your data is ready',
    text: 'You receive one ZIP file. Open index.html in it to read your data. The link works once, so use a device that is yours.',
    button: 'Download my data',
    keep: 'The file contains your personal data. Keep it safe, or delete it once you have read it.',
  },
  withdraw: {
    title: 'Withdraw your request',
    text: 'When you select the button, we stop work on your request. You can make a new request at any time. To keep your request, close this page.',
    button: 'Withdraw my request',
    done: 'Your request is withdrawn',
    doneText: 'We no longer work on it. You can make a new request at any time.',
    sent: 'Check your email',
    sentText:
      'We have sent you an email, now or in the last hour. Open the link in it to withdraw your request. If you cannot find the email, check your spam folder, or try again in an hour. Until you use the link, your request stays as it is.',
  },
  over: {
    title: 'This link no longer works',
    withdraw:
      'The link was used, was replaced by a newer one or is more than seven days old, or the request has been closed.',
    confirm:
      'The link was used, was replaced by a newer one or is more than seven days old, or the request has been closed. If you have already confirmed your email address, you do not need to do anything. If not, contact us and ask for a new link.',
    /** @param writeTo an address that receives email, or empty */
    contact: (writeTo: string) =>
      writeTo
        ? `To contact us, write to ${writeTo}.`
        : 'To contact us, send a new request and state the reference of this one.',
    download: {
      unknown: 'The link is incomplete or wrong. Copy the whole link from our email.',
      used: 'The link has already been used. If you do not have your file, contact us and ask for a new link.',
      expired:
        'The link was valid for seven days. If you do not have your file, contact us and ask for a new link.',
      revoked:
        'We withdrew this link because the status of your request changed. You can check the status below.',
      replaced: 'A newer link has replaced this one. Use the link in our latest email.',
      deleted:
        'Your file has been deleted: we keep it for a short time only. If you do not have it, contact us and ask for a new copy.',
    } satisfies Record<LinkProblem, string>,
  },
  faults: {
    notFound: {
      title: 'Page not found',
      text: 'Check the address. If you used a link from an email, copy the whole link.',
    },
    tooMany: {
      title: 'Too many requests',
      text: 'Too many requests came from your network. Wait one minute, then try again.',
    },
    unavailable: {
      title: 'The service is temporarily unavailable',
      text: 'Try again in a moment. Requests that you have already sent are safe.',
    },
    other: { title: 'Something went wrong', text: 'Go back and try again.' },
  },
};

/** The texts of the pages in one language. */
export type PageTexts = typeof en;
