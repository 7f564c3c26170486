import { KEEPING_GROUNDS } from '../../../../personal-data/index.ts';
import { formatDay } from '../../../../platform/clock.ts';
import { en as terms } from '../../export/package-page/terms/terms.ts';
import type { Ground, RequestType } from '../../rules.ts';

/** What reports say, without the names that a package has as well. */
export const en = {
  labels: terms.sources,
  /** Sentences without a full stop. */
  grounds: {
    identity: 'We could not verify your identity',
    clarification: 'We need more information from you',
    legal_hold: 'We must keep the data unchanged because of a legal hold',
    unfounded: 'The request is manifestly unfounded',
    excessive: 'The request is excessive, for example because it repeats an earlier one',
    no_data: 'We do not process any personal data about you',
    not_controller: 'We are not the controller of this data',
    still_needed: 'The data is still necessary for the purpose for which it was collected',
    freedom_of_expression:
      'Processing is necessary for exercising the right of freedom of expression and information',
    legal_obligation: 'We are legally required to keep the data',
    public_health:
      'Processing is necessary for reasons of public interest in the area of public health',
    archiving:
      'Processing is necessary for archiving purposes in the public interest, for research or for statistics',
    legal_claims:
      'Processing is necessary for the establishment, exercise or defence of legal claims',
    compelling_grounds:
      'We have compelling legitimate grounds for the processing which override your interests, rights and freedoms',
    rights_of_others: 'The answer would adversely affect the rights and freedoms of others',
    exemption: 'A statutory exemption applies',
  } satisfies Record<Exclude<Ground, 'other'>, string>,
  /** Why records are kept. Reasons of extensions are shown as they are. */
  keptReasons: Object.fromEntries(
    Object.entries(KEEPING_GROUNDS).map(([ground, { reason }]) => [ground, reason]),
  ) as Record<string, string>,
  /** @param day `YYYY-MM-DD` */
  until: (day: string) => `until ${formatDay('en', day)}`,
  /** @param article for example `Art. 17(3)(b)`, or `Art. 17(3)(b) UK` of the UK GDPR */
  law: (article: string) => `${article} GDPR`,
  erased: (count: number) => `${count} deleted`,
  anonymised: (count: number) => `${count} anonymised`,
  kept: (count: number, why: string) => `${count} kept (${why})`,
  records: (count: number) => (count === 1 ? '1 record' : `${count} records`),
  notErased: 'Not erased.',
  skipped: 'Left out.',
  byHand: 'Processed manually',
  done: 'What we did:',
  nothingIn: 'We found no data about you in:',
  erasure: {
    nothing: 'We found no personal data about you.',
    all: 'We have deleted or anonymised the personal data that we found about you:',
    part: 'We have deleted or anonymised part of your personal data. We have kept the rest for the following reasons:',
    before: 'We had already done the following for your request. Deleted data cannot be restored:',
    none: 'We have not deleted your personal data, for the following reasons:',
    request:
      'Once this email is sent, we remove your name, contact details and message from this request. We keep its reference, dates and result to demonstrate how we answered it.',
    requestWithoutEmail:
      'We remove your name, contact details and message from this request 30 days after we completed it. We keep its reference, dates and result to demonstrate how we answered it.',
  },
  noPackage: 'We do not send you a file with your data.',
  notDone: {
    rectification: 'We have not corrected your data.',
    objection: 'We have not changed how we use your data.',
  } satisfies Record<Extract<RequestType, 'rectification' | 'objection'>, string>,
};

export type ReportTexts = typeof en;
