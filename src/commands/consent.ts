import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXPORT_FORMATS, exportConsents } from '../privacy/consent/index.ts';
import { command, currentConfig, withPlatform } from './cli.ts';
import { moment } from './options.ts';

/** `pavis consent …` */
export function consentCommands(program: Command): void {
  const consent = program.command('consent').description('what visitors decided');

  command(consent, 'export', 'print the records of a stretch of days')
    .requiredOption('--from <day>', 'the first day, in the zone of the site', day)
    .requiredOption('--to <day>', 'the last day', day)
    .addOption(new Option('--format <format>', 'how').choices(EXPORT_FORMATS).default('csv'))
    .action(({ json, from, to, format }) =>
      withPlatform(currentConfig(), async ({ datastore }) => {
        const filter = { dayFrom: from, dayTo: to };
        const chunks = exportConsents(datastore.reader, filter, json ? 'json' : format);
        for await (const chunk of chunks) {
          if (!process.stdout.write(chunk))
            await new Promise((resolve) => process.stdout.once('drain', resolve));
        }
      }),
    );
}

function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && moment(text)) return text;
  throw new InvalidArgumentError('A day is allowed, as 2026-11-21.');
}
