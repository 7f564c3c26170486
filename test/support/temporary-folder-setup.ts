import { expect, inject } from 'vitest';

/*
 * Runs before each test file. Tests that kill a process use the disk: in memory, the process often finishes before
 * the kill arrives.
 */
const { memory, disk } = inject('temporary');
process.env.TMPDIR = expect.getState().testPath?.includes('/test/chaos/') ? disk : memory;
