import type { RetentionRule } from '../../context.ts';

/** The names and values of a language, by the machine names that the JSON files keep. */
export interface Terms {
  /** Sources of our own; others have a label. */
  sources: Readonly<Record<string, string>>;
  /** Headings by column, or by `source.column` where a source has a heading of its own. */
  columns: Readonly<Record<string, string>>;
  /** Values by column. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Texts that the data map of a new installation has, which are English. */
  texts: Readonly<Record<string, string>>;
  yes: string;
  no: string;
  /** In place of the last moment there is. */
  never: string;
}

/** The sentences of a package, in one language. */
export interface PackageWords {
  title(reference: string): string;
  /** @param day as people write it */
  lead(site: string, day: string): string;
  /** @param zone an IANA name, for example Europe/Berlin */
  times(zone: string): string;
  controller: { title: string; dpo: string };
  contents: string;
  records(count: number): string;
  record(number: number): string;
  /** Sources that were asked and have nothing. */
  nothing: string;
  leftOut(reason: string): string;
  byHand: string;
  /** Of a long table. */
  first(shown: number, all: number): string;
  files: { title: string; text: string };
  retention: {
    rule(rule: RetentionRule, from: string): string;
    /** From when on the age of records of a category counts. */
    from: Readonly<Record<string, string>>;
    /** How long records are kept that no policy is about. */
    criteria: Readonly<Record<string, string>>;
    notSet: string;
  };
  processing: {
    title: string;
    lead: string;
    legalBasis: string;
    dataCategories: string;
    dataSubjects: string;
    recipients: string;
    thirdCountries: string;
    safeguards: string;
    retentionPeriod: string;
    dataSource: string;
    automatedDecisions: string;
    notStated: string;
  };
  rights: {
    title: string;
    list: readonly string[];
    complaint: string;
    how: string;
  };
}
