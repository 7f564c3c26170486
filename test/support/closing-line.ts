import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with `N passed, N failed`. An error outside of tests counts as a failure of its file or block. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) count[test.result().state]++;
      const groups = [module, ...module.children.allSuites()];
      count.failed += groups.filter((group) => group.errors().length > 0).length;
    }
    const skipped = count.skipped + count.pending;
    const more = skipped > 0 ? `, ${skipped} skipped` : '';
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${more}\n`);
  }
}
