import type { LinkProblem } from '../export/packages.ts';
import type { CaseStatus, RequestType } from '../rules.ts';
import type { NoticeWords } from './notice.ts';

/** Everything that the pages say, in one language. Texts for people who know no law. */
export interface PageWords {
  dir: 'ltr' | 'rtl';
  /** The language's own name, for the switch. */
  name: string;
  skip: string;
  brand: (site: string) => string;
  languages: string;
  footer: (site: string) => string;

  form: {
    title: string;
    lead: (site: string) => string;
    what: string;
    types: Record<RequestType, { label: string; hint: string }>;
    about: string;
    optional: string;
    firstName: string;
    lastName: string;
    email: string;
    emailHint: string;
    details: string;
    detailsHint: string;
    trap: string;
    /** Where the browser shows which consents are its own. */
    visitor: string;
    send: string;
    after: string;
    toStatus: string;
  };
  notice: NoticeWords;
  closed: { title: string; text: string; write: (address: string) => string };
  errors: {
    title: string;
    type: string;
    email: string;
    tooLong: (limit: number) => string;
    trap: string;
    tooMany: string;
    fault: string;
  };
  sent: {
    title: string;
    lead: string;
    reference: string;
    deadline: string;
    copyHint: string;
    next: string;
    steps: (deadline: string) => readonly string[];
    toStatus: string;
  };
  status: {
    title: string;
    lead: string;
    reference: string;
    referenceHint: string;
    email: string;
    emailHint: string;
    show: string;
    unknown: string;
    found: string;
    request: string;
    state: string;
    submitted: string;
    completed: string;
    /** What is said of a hold is followed, where it asks something, by its text here. */
    states: Record<CaseStatus, { label: string; text: string }>;
    unconfirmed: string;
    withdraw: string;
    withdrawHint: string;
    another: string;
    toForm: string;
  };
  confirm: { title: string; text: string; button: string; done: string; doneText: string };
  download: { title: string; text: string; button: string; keep: string };
  withdraw: {
    title: string;
    text: string;
    button: string;
    done: string;
    doneText: string;
    sent: string;
    sentText: string;
  };
  over: {
    title: string;
    withdraw: string;
    confirm: string;
    download: Record<LinkProblem, string>;
    /** How to reach the controller; `writeTo` is an address that receives email, or empty. */
    contact: (writeTo: string) => string;
  };
  faults: { notFound: FaultWords; tooMany: FaultWords; unavailable: FaultWords; other: FaultWords };
}

interface FaultWords {
  title: string;
  text: string;
}
