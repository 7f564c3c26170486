import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They wait for processes, leases and time-outs more than they compute. */
const WAITING = '/test/chaos/';
const LONG = ['/test/browser/', '/test/journeys/', '/src/privacy/scanner/browser/'];
/** So many of the others begin for each that waits: of three workers one waits, and two have a core each. */
const BESIDE = 2;

/** Starts with the files that take longest, so that no worker waits for another's at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((folder) => moduleId.includes(folder));
      return at === -1 ? LONG.length : at;
    };
    // Within each, by what is known of earlier runs, or by size.
    const sorted = await super.sort(files);
    const waiting = sorted.filter(({ moduleId }) => moduleId.includes(WAITING));
    const busy = sorted
      .filter((file) => !waiting.includes(file))
      .toSorted((a, b) => rank(a) - rank(b));
    return [
      ...waiting.flatMap((file, n) => [file, ...busy.slice(n * BESIDE, (n + 1) * BESIDE)]),
      ...busy.slice(waiting.length * BESIDE),
    ];
  }
}
