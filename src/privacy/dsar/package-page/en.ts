import type { PackageWords } from './words.ts';

export const en: PackageWords = {
  title: (reference) => `Your data, ${reference}`,
  lead: (site, day) => `What ${site} holds about you, put together on ${day}.`,
  nothing: 'Nothing.',
  leftOut: (reason) => `Left out: ${reason}`,
  first: (shown, all) => `The first ${shown} of ${all}; the files have them all.`,
  files:
    'The same is in the files beside this page: data.json for programs, and for each part a table in the folder sources, which a spreadsheet opens.',
  processing: {
    title: 'What we process and why',
    purpose: 'Purpose',
    legalBasis: 'Legal basis',
    dataCategories: 'Data',
    recipient: 'Recipient',
    retentionPeriod: 'Kept for',
    notStated: 'not stated; ask us',
    rights:
      'You may ask for correction, deletion or restriction, object, and complain to a data protection authority.',
  },
  slugs: {},
};
