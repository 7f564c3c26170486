/** Everything that the readable page of a package says, in one language. */
export interface PackageWords {
  title(reference: string): string;
  /** @param day as people write it */
  lead(site: string, day: string): string;
  nothing: string;
  leftOut(reason: string): string;
  /** Of a long table. */
  first(shown: number, all: number): string;
  files: string;
  processing: {
    title: string;
    purpose: string;
    legalBasis: string;
    dataCategories: string;
    recipient: string;
    retentionPeriod: string;
    notStated: string;
    rights: string;
  };
  /** Slugs that the language has words for; others are shown without their underscores. */
  slugs: Readonly<Record<string, string>>;
}
