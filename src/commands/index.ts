import { Command, CommanderError } from 'commander';
import { VERSION } from '../config/version.ts';
import { ApiError, CliError, DomainError } from '../platform/errors.ts';
import { withoutSecrets } from '../platform/log.ts';
import { backupCommands } from './backup.ts';
import { compactCommand } from './compact.ts';
import { configCommand } from './config.ts';
import { consentCommands } from './consent.ts';
import { customerCommands } from './customer.ts';
import { declarationCommand } from './declaration.ts';
import { doctorCommand } from './doctor/index.ts';
import { dsarCommands } from './dsar.ts';
import { licenceCommands } from './licence.ts';
import { logCommands } from './log.ts';
import { migrateCommand } from './migrate.ts';
import { moveCommand } from './move.ts';
import { receiptCommands } from './receipt.ts';
import { retentionCommands } from './retention.ts';
import { scanCommand } from './scan.ts';
import { securityLogCommands } from './security-log.ts';
import { seedCommand } from './seed.ts';
import { serveCommand } from './serve.ts';
import { userCommands } from './user.ts';
import { witnessCommands } from './witness.ts';

const COMMANDS = [
  serveCommand,
  migrateCommand,
  backupCommands,
  compactCommand,
  moveCommand,
  doctorCommand,
  configCommand,
  licenceCommands,
  customerCommands,
  userCommands,
  consentCommands,
  logCommands,
  receiptCommands,
  securityLogCommands,
  dsarCommands,
  retentionCommands,
  scanCommand,
  declarationCommand,
  witnessCommands,
  seedCommand,
];

/** Runs a command line. @returns the exit code: 0 success, 1 refused or failed, 2 wrong usage or setting */
export async function run(argv: string[]): Promise<number> {
  const program = new Command('pavis')
    .description('Privacy compliance and licences for websites.')
    .version(VERSION)
    .exitOverride()
    // Options after a subcommand belong to it, not to its parent.
    .enablePositionalOptions()
    .configureOutput({
      outputError: (text, write) =>
        write(
          `pavis: ${text
            .replace(/^error: /, '')
            .trim()
            .replaceAll('\n', ' ')}\n`,
        ),
    });
  for (const register of COMMANDS) register(program);

  try {
    await program.parseAsync(argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return explain(error);
  }
}

function explain(error: unknown): number {
  if (error instanceof CliError || error instanceof ApiError || error instanceof DomainError) {
    process.stderr.write(`pavis: ${error.message}\n`);
    return error instanceof CliError ? error.exitCode : 1;
  }
  const { message, stack } = error as Error;
  process.stderr.write(
    `pavis: ${withoutSecrets(process.env.PAVIS_LOG_LEVEL === 'debug' ? String(stack) : message)}\n`,
  );
  return 1;
}
