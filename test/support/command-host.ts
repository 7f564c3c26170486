import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { CommandLine, Finished } from './process.ts';

/*
 * A process that runs the command lines of Pavis that it receives from `process.ts`, one after the other. Loading
 * the program takes longer than most commands.
 */

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/pavis'));
const { run } = await import('../../src/commands/index.ts');
// Some commands watch for signals and faults until their process ends.
process.setMaxListeners(0);

process.on('message', async ({ args, env, cwd }: CommandLine) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const finished: Finished = { code: null, stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    process[stream].write = (chunk: string | Uint8Array, written?: unknown) => {
      finished[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      if (typeof written === 'function') written();
      return true;
    };
  }
  finished.code = await run([process.execPath, 'pavis', ...args]);
  process.send?.(finished);
});
process.send?.('ready');
