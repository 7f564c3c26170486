import { Command, CommanderError } from 'commander';
import { VERSION } from '../config/version.ts';
import { ApiError, CliError, DomainError } from '../platform/errors.ts';
import { withoutSecrets } from '../platform/log.ts';

/** What registers each command. The named one alone is loaded in 0.7 s less than all of them. */
const COMMANDS: Record<string, () => Promise<(program: Command) => void>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  backup: async () => (await import('./backup.ts')).backupCommands,
  restore: async () => (await import('./backup.ts')).backupCommands,
  compact: async () => (await import('./compact.ts')).compactCommand,
  move: async () => (await import('./move.ts')).moveCommand,
  doctor: async () => (await import('./doctor/index.ts')).doctorCommand,
  config: async () => (await import('./config.ts')).configCommand,
  licence: async () => (await import('./licence.ts')).licenceCommands,
  product: async () => (await import('./product.ts')).productCommands,
  plan: async () => (await import('./product.ts')).planCommands,
  release: async () => (await import('./release.ts')).releaseCommands,
  'signing-key': async () => (await import('./signing-key.ts')).signingKeyCommands,
  customer: async () => (await import('./customer.ts')).customerCommands,
  'api-token': async () => (await import('./api-token.ts')).apiTokenCommands,
  webhook: async () => (await import('./webhook.ts')).webhookCommands,
  user: async () => (await import('./user.ts')).userCommands,
  consent: async () => (await import('./consent.ts')).consentCommands,
  settings: async () => (await import('./settings.ts')).settingsCommands,
  log: async () => (await import('./log.ts')).logCommands,
  receipt: async () => (await import('./receipt.ts')).receiptCommands,
  'security-log': async () => (await import('./security-log.ts')).securityLogCommands,
  dsar: async () => (await import('./dsar.ts')).dsarCommands,
  retention: async () => (await import('./retention.ts')).retentionCommands,
  scan: async () => (await import('./scan.ts')).scanCommand,
  declaration: async () => (await import('./declaration.ts')).declarationCommand,
  witness: async () => (await import('./witness.ts')).witnessCommands,
  seed: async () => (await import('./seed.ts')).seedCommand,
};

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
  // Help and messages about unknown commands name all of them.
  const all = Object.entries(COMMANDS);
  const named = all.filter(([name]) => name === argv[2]);
  const loads = named.length > 0 ? named : all;
  const registers = await Promise.all(loads.map(([, load]) => load()));
  for (const register of new Set(registers)) register(program);

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
