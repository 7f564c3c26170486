import { enableCompileCache } from 'node:module';

// Before anything else is loaded: the next start finds everything compiled.
enableCompileCache();
const { run } = await import('./commands/index.ts');
process.exitCode = await run(process.argv);
