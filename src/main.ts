import { run } from './commands/index.ts';

process.exitCode = await run(process.argv);
