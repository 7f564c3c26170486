import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These files mostly wait for processes, leases and timeouts. */
const WAITING = '/test/chaos/';
const LONG = ['/test/browser/', '/test/journeys/', '/src/privacy/scanner/browser/'];
/** Number of other files started for each waiting file: one of three workers waits, and two use a core each. */
const BESIDE = 2;

/** Starts with the longest files, so that all workers finish at about the same time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((folder) => moduleId.includes(folder));
      return at === -1 ? LONG.length : at;
    };
    // Within a group, by the duration of earlier runs, or by size.
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
