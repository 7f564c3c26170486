import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';
import { LongestFirst } from './test/support/longest-first.ts';

// Workers and their threads find packages compiled, from the second run on.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/pavis');

export default defineConfig({
  test: {
    include: ['{src,packages,packaging,test,web}/**/*.test.ts'],
    setupFiles: ['test/support/temporary-folder-setup.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new ClosingLine()],
    pool: 'forks',
    // One process for many files: what they share is loaded and compiled once, and each has data of its own.
    isolate: false,
    // More than two cores: much of the time a test waits for a process or a browser that it has started.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // A busy machine is slow, not wrong. A condition that never holds still fails.
    expect: { poll: { timeout: 30_000 } },
    // What a developer has set must not steer the tests.
    env: { NODE_ENV: 'test', PAVIS_LOG_LEVEL: 'silent' },
  },
});
