import { KEEPING_GROUNDS } from '../../../../personal-data/index.ts';
import { formatDay } from '../../../../platform/clock.ts';
import { en as terms } from '../../export/package-page/terms/en.ts';
import type { ReportWords } from './words.ts';

export const en: ReportWords = {
  labels: terms.sources,
  grounds: {
    identity: 'We could not establish your identity',
    clarification: 'We need more information from you',
    legal_hold: 'We must keep the data unchanged because of a legal hold',
    unfounded: 'The request is manifestly unfounded',
    excessive: 'The request is excessive, for example because it repeats an earlier one',
    no_data: 'We hold no personal data about you',
    not_controller: 'We are not the controller of these data: somebody else decides on their use',
    still_needed: 'The data are still needed for the purpose they were collected for',
    freedom_of_expression:
      'The data are needed to exercise the right of freedom of expression and information',
    legal_obligation: 'The law requires us to keep the data',
    public_health: 'The data are needed for reasons of public interest in public health',
    archiving:
      'The data are needed for archiving in the public interest, for research or for statistics',
    legal_claims: 'The data are needed to establish, exercise or defend legal claims',
    compelling_grounds:
      'We have compelling legitimate grounds for the processing which override your interests, rights and freedoms',
    rights_of_others: 'The answer would adversely affect the rights and freedoms of others',
    exemption: 'A statutory exemption applies',
  },
  keptReasons: Object.fromEntries(
    Object.entries(KEEPING_GROUNDS).map(([ground, { reason }]) => [ground, reason]),
  ),
  until: (day) => `until ${formatDay('en', day)}`,
  law: (article) => `${article} GDPR`,
  erased: (count) => `${count} deleted`,
  anonymised: (count) => `${count} anonymised`,
  kept: (count, why) => `${count} kept (${why})`,
  records: (count) =>
    count === 0 ? 'no data found' : count === 1 ? '1 record' : `${count} records`,
  notErased: 'Not erased.',
  leftOut: 'Left out.',
  byHand: 'processed by hand',
  done: 'What we did:',
  nothingIn: 'We found no data about you in:',
  erasure: {
    nothing: 'We found no personal data about you.',
    all: 'We have deleted or anonymised the personal data that we found about you:',
    part: 'We have deleted or anonymised part of your personal data. We have kept the rest for the reasons stated here:',
    none: 'We have not deleted your personal data, for the reasons stated here:',
    request:
      'Once this email is sent, we remove your name, contact details and message from this request. We keep its reference, its dates and what was done, to prove how we answered it.',
  },
  noPackage: 'We do not send you a file with your data.',
  notDone: {
    rectification: 'We have not corrected your data.',
    objection: 'We have not changed how we use your data.',
  },
};
