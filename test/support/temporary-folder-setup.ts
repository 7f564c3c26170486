import { expect, inject } from 'vitest';

/*
 * Runs before each test file. What is killed in the middle of its work has it on the disk: in memory it is often
 * done before the kill arrives.
 */
const { memory, disk } = inject('temporary');
process.env.TMPDIR = expect.getState().testPath?.includes('/test/chaos/') ? disk : memory;
