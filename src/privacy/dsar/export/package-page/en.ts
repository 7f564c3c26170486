import type { PackageWords } from './words.ts';

const count = (n: number, unit: string) => `${n} ${n === 1 ? unit.slice(0, -1) : unit}`;

export const en: PackageWords = {
  title: (reference) => `Your data, ${reference}`,
  lead: (site, day) => `The personal data that ${site} holds about you, as of ${day}.`,
  times: (zone) => `Times are in the time zone ${zone}.`,
  controller: { title: 'Controller', dpo: 'Data protection officer' },
  contents: 'Contents',
  records: (n) => count(n, 'records'),
  record: (n) => `Record ${n}`,
  nothing: 'We hold nothing about you here:',
  leftOut: (reason) => `Left out: ${reason}`,
  byHand: 'A member of staff answers this part. What they send you is not in this package.',
  first: (shown, all) =>
    `This page shows the first ${shown} of ${all} records. The files have all.`,
  files: {
    title: 'Files',
    text: 'The folder next to this page holds the same data: data.json for programs, and one table for each part in the folder “sources”, which you can open in a spreadsheet.',
  },
  retention: {
    rule: ({ action, periodValue, periodUnit }, from) =>
      `${action === 'delete' ? 'Deleted' : 'Anonymised'} ${count(periodValue, periodUnit)} after ${from}.`,
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
    },
    criteria: {
      activation_history: 'Kept as long as your customer account.',
      application_passwords: 'Kept until the password is revoked or the account is deleted.',
      checkout_orders: 'Deleted 30 days after the order was started.',
      customers: 'Kept as long as you have a licence.',
      licences: 'Kept as long as your customer account.',
      sign_in_links: 'Deleted when the link is used or after it has expired.',
      user_sessions: 'Deleted after the session has ended.',
      users: 'Kept until an administrator deletes the account.',
    },
    notSet: 'No fixed period is set. Ask us for the criteria.',
  },
  processing: {
    title: 'What we process and why',
    lead: 'All processing of personal data by this site. Not every entry concerns you.',
    legalBasis: 'Legal basis',
    dataCategories: 'Categories of data',
    dataSubjects: 'Whose data',
    recipients: 'Recipients',
    thirdCountries: 'Transfers to third countries',
    safeguards: 'Safeguards of these transfers',
    retentionPeriod: 'Retention period',
    dataSource: 'Source of the data',
    automatedDecisions: 'Automated decisions, including profiling',
    notStated: 'Not stated, please ask us',
  },
  rights: {
    title: 'Your rights',
    list: [
      'You can ask us to correct data that is wrong and to complete data that is missing.',
      'You can ask us to erase your data, or to restrict its processing.',
      'You can object to processing that is based on legitimate interests or a public task, and to direct marketing at any time.',
      'You can ask for the data that you provided in a form that programs can read.',
      'You can withdraw consent at any time. What was done before stays lawful.',
    ],
    complaint:
      'You can complain to a data protection supervisory authority, in particular where you live or work, or where you think the law was broken.',
    how: 'Send a request',
  },
};
