import type { Entry, EntryCreation } from '../../api/types.ts';

export type Fields = {
  vendor_id: string;
  purpose: string;
  legal_basis: string;
  data_categories: string[];
  retention_period: string;
  status: Entry['status'];
  data_subjects: string[];
  recipients: string[];
  third_countries: string[];
  safeguards: string[];
  security_measures: string;
  controller: string;
  data_source: string;
  automated_decisions: string;
  review_date: string;
};

export const NO_ARTICLE_30 = {
  data_subjects: [],
  recipients: [],
  third_countries: [],
  safeguards: [],
  security_measures: '',
  controller: '',
  data_source: '',
  automated_decisions: '',
  review_date: '',
};

export const toBody = (fields: Fields): EntryCreation => ({
  ...fields,
  vendor_id: Number(fields.vendor_id),
  recipients: toLines(fields.recipients),
  data_subjects: toLines(fields.data_subjects),
  third_countries: toLines(fields.third_countries),
  safeguards: toLines(fields.safeguards),
  review_date: fields.review_date || null,
});

/** The server keeps these lists as one text with a line for each item. */
const toLines = (items: readonly string[]): string => items.join('\n');
export const fromLines = (text: string | null): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
