import { toCsvHead, toCsvRows } from '../../../../platform/csv.ts';
import type { RetentionRule } from '../../context.ts';
import { getRightsLaw, type Regime } from '../../rules.ts';
import { de } from './de.ts';
import { en, type PackageTexts } from './en.ts';
import { type PackageContents, renderPage } from './page.ts';
import { getTitle, listColumns, type PackageSource } from './sources.ts';
import { de as deTerms, en as enTerms } from './terms/terms.ts';
import { toHeading, toText, type Writer } from './values.ts';

const ENGLISH = { language: 'en', texts: en, terms: enTerms };
const GERMAN = { language: 'de', texts: de, terms: deTerms };
/** Marks a CSV file as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Writes the files of a package in German or English. */
export function createPackageWriter(language: string, timeZone: string) {
  const writer: Writer = { ...(language === 'de' ? GERMAN : ENGLISH), timeZone };
  const { texts, terms } = writer;
  return {
    language: writer.language,
    rights: (regime: Regime) => texts.rights[getRightsLaw(regime)],
    title: (source: Pick<PackageSource, 'id' | 'label'>): string => getTitle(terms, source),
    retention: (category: string, rules: readonly RetentionRule[]): string =>
      formatRetention(texts, category, rules),
    page: (contents: PackageContents): string => renderPage(writer, contents),
    /** @param declared the columns of a source without records */
    csv: (
      { id: source, records }: Pick<PackageSource, 'id' | 'records'>,
      declared: readonly string[] = [],
    ): string => {
      const columns = records.length > 0 ? listColumns(records) : declared;
      const headings = columns.map((column) => toHeading(terms, { source, column }));
      const rows = records.map((record) =>
        Object.fromEntries(
          columns.map((column) => [column, toText(writer, { source, column }, record[column])]),
        ),
      );
      return BYTE_ORDER_MARK + toCsvHead(headings) + toCsvRows(columns, rows);
    },
  };
}

function formatRetention(
  { retention }: PackageTexts,
  category: string,
  rules: readonly RetentionRule[],
): string {
  const from = retention.from[category];
  const periods = rules
    .filter((rule) => rule.category === category && from !== undefined)
    .map((rule) => retention.rule(rule, from ?? ''));
  return periods.join(' ') || (retention.criteria[category] ?? retention.notSet);
}
