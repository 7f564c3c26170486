import { BaseSequencer, type TestSpecification } from 'vitest/node';

const FIRST = [
  '/test/chaos/',
  '/test/browser/',
  '/test/journeys/',
  '/src/privacy/scanner/browser/',
];

/** Starts with the files that take longest, so that no worker waits for another's at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = FIRST.findIndex((folder) => moduleId.includes(folder));
      return at === -1 ? FIRST.length : at;
    };
    // Within each, by what is known of earlier runs, or by size.
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
