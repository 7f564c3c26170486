import type { RetentionRule } from '../../context.ts';

const count = (n: number, unit: string) => `${n} ${n === 1 ? unit.slice(0, -1) : unit}`;

const GDPR_RIGHTS = [
  'Rectification: you can ask us to correct inaccurate data and to complete incomplete data.',
  'Erasure and restriction: you can ask us to erase your data or to restrict its processing.',
  'Objection: you can object to processing that is based on legitimate interests or a public task, and to direct marketing at any time.',
  'Data portability: you can ask for the data you provided in a machine-readable format.',
  'Withdrawal of consent: you can withdraw consent at any time. Processing before the withdrawal remains lawful.',
];

/** Every text of a package, except the names of columns and values. */
export const en = {
  title: (reference: string) => `Your data, ${reference}`,
  /** @param day in words */
  lead: (organisation: string, day: string) =>
    `Your personal data processed by ${organisation}, as of ${day}.`,
  /** @param zone an IANA name, for example Europe/Berlin */
  times: (zone: string) => `Times are in the time zone ${zone}.`,
  controller: { title: 'Controller', dpo: 'Data protection officer' },
  contents: 'Contents',
  records: (n: number) => count(n, 'records'),
  record: (n: number) => `Record ${n}`,
  /** Sources that have no data about the person. */
  nothing: 'We hold no data about you in:',
  leftOut: (reason: string) => `Left out: ${reason}`,
  byHand: 'We answer this part separately. It is not included in this package.',
  first: (shown: number, all: number) =>
    `This page shows the first ${shown} of ${all} records. The files contain all of them.`,
  files: {
    title: 'Files',
    text: 'This folder contains the same data in machine-readable form: data.json, and in the folder “sources” one table per part, which you can open in a spreadsheet.',
  },
  receipts: {
    title: 'Receipts of your consent choices',
    issued: (n: number) =>
      `The folder “receipts” contains ${n === 1 ? 'a receipt' : `${n} receipts, each`} with a proof that the choice is in our consent log.`,
    check:
      'To check a receipt, open receipt-verifier.html from that folder in a browser and choose the receipt. This works without a connection.',
    notLogged: (n: number) =>
      `${n === 1 ? 'One choice has' : `${n} choices have`} no receipt because the consent log does not contain ${n === 1 ? 'it' : 'them'} yet. Ask us for a new copy of this package.`,
    altered: (n: number) =>
      `${n === 1 ? 'One choice has' : `${n} choices have`} no receipt because ${n === 1 ? 'its record differs' : 'their records differ'} from what was logged.`,
    unproven: (n: number) =>
      `${n === 1 ? 'One choice has' : `${n} choices have`} no receipt because our consent log is damaged.`,
  },
  retention: {
    rule: ({ action, periodValue, periodUnit }: RetentionRule, from: string) =>
      `${action === 'delete' ? 'Deleted' : 'Anonymised'} ${count(periodValue, periodUnit)} after ${from}.`,
    /** The event that the period of a category starts with. */
    from: {
      activation_history: 'the site is deactivated',
      audit_log: 'the event',
      consent_records: 'the choice expires',
      customers: 'your last licence ends',
      dsar_cases: 'the request is closed',
      dsar_events: 'the request is closed',
      outbox_mail: 'the email is sent',
      purchases: 'the end of the calendar year of the last payment',
      user_log: 'the event',
      security_log: 'the event',
      webhook_events: 'the event',
    } as Record<string, string>,
    /** How long records are kept where no retention policy applies. */
    criteria: {
      activation_history: 'Kept as long as your customer account.',
      application_passwords: 'Kept until the password is revoked or the account is deleted.',
      authenticator_apps: 'Kept until the app is removed or the account is deleted.',
      checkout_orders: 'Deleted 30 days after the order was started.',
      consent_subjects: 'Deleted when the consent expires.',
      customers: 'Kept as long as you have a licence.',
      licences: 'Kept as long as your customer account.',
      password_resets: 'Deleted when a new password is set or after the link has expired.',
      passkeys: 'Kept until the passkey is removed or the account is deleted.',
      sign_in_links: 'Deleted when the link is used or after it has expired.',
      user_identities:
        'Deleted with your user account, or when an administrator unlinks single sign-on or changes your email address.',
      user_sessions: 'Deleted after the session has ended.',
      users: 'Kept until an administrator deletes the account.',
    } as Record<string, string>,
    notSet: 'No fixed period is set. Contact us for the criteria.',
  },
  processing: {
    title: 'Processing activities',
    lead: 'All processing of personal data by this site. Not every activity concerns you.',
    legalBasis: 'Legal basis',
    dataCategories: 'Categories of personal data',
    dataSubjects: 'Data subjects',
    recipients: 'Recipients',
    thirdCountries: 'Third-country transfers',
    safeguards: 'Safeguards for these transfers',
    retentionPeriod: 'Retention period',
    dataSource: 'Source of the data',
    automatedDecisions: 'Automated decision-making, including profiling',
    notStated: 'Not stated, please contact us',
  },
  rights: {
    title: 'Your rights',
    /** GDPR Art. 15(1)(e) and (f); Cal. Civ. Code 1798.105, 106, 110, 120 and 130. */
    gdpr: {
      list: GDPR_RIGHTS,
      complaint: () =>
        'You can lodge a complaint with a data protection supervisory authority, in particular where you live or work or where you believe the law was infringed.',
    },
    uk: {
      list: GDPR_RIGHTS,
      complaint: (contact: string) =>
        `You can complain to us${contact && ` at ${contact}`}. You can also complain to the Information Commissioner.`,
    },
    ccpa: {
      list: [
        'Know: you can ask what personal information we collect, use, disclose and sell, and for a portable copy of it.',
        'Delete: you can ask us to delete personal information that we collected from you.',
        'Correct: you can ask us to correct inaccurate personal information.',
        'Opt out: you can ask us at any time not to sell or share your personal information.',
      ],
      complaint: () =>
        'You can file a complaint with the California Privacy Protection Agency or the California Attorney General.',
    },
    how: 'Make a request',
  },
};

export type PackageTexts = typeof en;
