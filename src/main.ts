import { run } from './commands/index.ts';
import { handleOutputFaults } from './commands/output-faults.ts';

handleOutputFaults();
process.exitCode = await run(process.argv);
// Timers and connections of extensions do not keep a finished command running. Output and its faults come first.
process.stdout.write('', () => process.stderr.write('', () => setImmediate(() => process.exit())));
