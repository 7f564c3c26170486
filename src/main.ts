import { run } from './commands/index.ts';
import { handleOutputFaults } from './commands/output-faults.ts';

handleOutputFaults();
process.exitCode = await run(process.argv);
