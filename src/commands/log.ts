import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { resolveAddresses } from '../config/index.ts';
import { toIsoMoment } from '../platform/clock.ts';
import { CliError } from '../platform/errors.ts';
import { NoteError, parseCheckpoint, splitNote } from '../platform/transparency-log/index.ts';
import { limitOldGeneration } from '../platform/v8-limits.ts';
import { consentRecords } from '../privacy/consent/index.ts';
import {
  openBundle,
  openLog,
  proveRecord,
  readNewestCheckpoint,
  restartLog,
  toEntryColumns,
  verifyInstallation,
} from '../privacy/consent-log/index.ts';
import { writeArchive } from './archive-file.ts';
import { actor, command, currentConfig, print, withPlatform } from './cli.ts';
import { formatReport } from './log-text.ts';
import { day, wholeNumber } from './options.ts';
import { progressBar } from './progress.ts';

/** A second thread takes half of the work; more of them would only take memory. */
const OTHER_THREADS = 1;

/** `pavis log …` */
export function logCommands(program: Command): void {
  const log = program.command('log').description('verify the consent log and print its proofs');

  command(log, 'verify', 'compare consent records with the consent log')
    .option('--deep', 'compare the contents of each record, not only which records there are')
    .option(
      '--against <file...>',
      'checkpoint that you have kept, for example from an email; the log must begin with its entries',
    )
    .addHelpText(
      'after',
      '\nThe exit code is 1 if there is a problem, and 2 if a file of --against is not a checkpoint.',
    )
    .action(({ json, deep, against = [] }) => {
      const config = currentConfig();
      const { databaseUrl, databaseDirectUrl, dataDir } = config;
      const place = { databaseUrl: databaseDirectUrl ?? databaseUrl, dataDir };
      const kept = (against as string[]).map(readCheckpoint);
      limitOldGeneration();
      return withPlatform(config, async (platform) => {
        const bar = await progressBar(1, 'checks');
        const report = await verifyInstallation(
          platform,
          { ...place, declaration: consentRecords },
          {
            isDeep: deep === true,
            against: kept,
            threads: Math.min(OTHER_THREADS, availableParallelism() - 1),
            onProgress({ done, total }) {
              bar?.setTotal(total);
              bar?.update(done);
            },
          },
        ).finally(() => bar?.stop());
        print(json, report, formatReport(report));
        if (!report.ok) {
          const count = report.problem_count;
          throw new CliError(
            `the consent log has ${count} ${count === 1 ? 'problem' : 'problems'}`,
          );
        }
      });
    });

  command(
    log,
    'checkpoint',
    'print the newest checkpoint, with the cosignatures of witnesses',
  ).action(({ json }) => {
    const config = currentConfig();
    return withPlatform(config, async (platform) => {
      const { origin, size, signedAt, note } = await readNewestCheckpoint(platform, config);
      const signed_at = toIsoMoment(signedAt);
      print(json, { origin, size, signed_at, checkpoint: note }, note.trimEnd());
    });
  });

  command(log, 'prove', 'print the proof that a consent record is in the log')
    .argument('<id>', 'id of the record', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--out <file>', 'write the proof to a file')
    .action((id: number, { json, out }) => {
      const config = currentConfig();
      return withPlatform(config, async (platform) => {
        const { index, size, entry, text } = await proveRecord(platform, config, id);
        if (out !== undefined) writeProof(out, text);
        print(
          json,
          { id, index, size, entry: entry.toString('base64'), proof: text },
          out === undefined
            ? text.trimEnd()
            : `Proof of entry ${index + 1} of ${size} written to ${out}.`,
        );
      });
    });

  bundleCommand(log);
  restartCommand(log);
}

function bundleCommand(log: Command): void {
  command(log, 'bundle', 'write the consent records of a period with their proofs, a ZIP file')
    .requiredOption('--from <day>', 'first day, in the time zone of the site', day)
    .requiredOption('--to <day>', 'last day', day)
    .option('--out <file>', 'the file to write (default: consent-records-FROM-to-TO.zip)')
    .action(({ json, from, to, out }) => {
      const config = currentConfig();
      const { siteUrl } = resolveAddresses(config);
      const { timeZone } = config;
      return withPlatform(config, async (platform) => {
        const consentLog = openLog(platform, config);
        try {
          const columns = toEntryColumns(consentRecords);
          const scope = { log: consentLog, columns, siteUrl: () => siteUrl, timeZone };
          const { fileName, write } = await openBundle(platform, scope, { from, to });
          const file = resolve(out ?? fileName);
          let records = 0;
          const chunks = platform.securityLog.streamExport(
            { actor: actor(), what: 'consent_bundle', details: { from, to } },
            (counted) =>
              write((more) => {
                records += more;
                counted(more);
              }),
          );
          const { sha256, bytes } = await writeArchive(file, chunks);
          print(
            json,
            { from, to, records, file, sha256, bytes },
            `${file}\nRecords: ${records}\nSHA-256: ${sha256}`,
          );
        } finally {
          await consentLog.close();
        }
      });
    });
}

function restartCommand(log: Command): void {
  command(log, 'restart', 'start a new log in place of one that is lost')
    .addHelpText(
      'after',
      '\nOnly if no copy of the lost log is left. The new log has another name. On PostgreSQL, what is left of the lost log is deleted: make a copy of it first.',
    )
    .action(({ json }) => {
      const config = currentConfig();
      return withPlatform(config, async (platform) => {
        const { lost, origin, aside } = await restartLog(platform, config);
        const lines = [
          `The log ${lost.origin} (${lost.size} entries) is given up. The new log ${origin} states that in an entry.`,
          'The server writes the new log within seconds, or after its next start. Of records from before it is proven only that they were there then.',
          ...(aside === undefined
            ? []
            : [`What was left of the lost log is kept as ${aside}. Keep it.`]),
          'Tell those who rely on the log: witnesses and readers of receipts need its new verifier key.',
          'If the log is public, empty caches in front of the server for /consent/log/tile/: they may have tiles of the lost log.',
        ];
        const printed = { lost: { origin: lost.origin, size: lost.size }, origin };
        print(json, { ...printed, aside: aside ?? null }, lines.join('\n'));
      });
    });
}

function writeProof(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw new CliError(`cannot write the proof to ${file}: ${(error as Error).message}`);
  }
}

function readCheckpoint(file: string): { name: string; note: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`cannot read the checkpoint ${file}: ${(error as Error).message}`);
  }
  // Copied from an email, it may be quoted and have other line ends, and none at the end.
  const lines = text.replaceAll('\r\n', '\n').replaceAll(/^> ?/gm, '').trim();
  const note = `${lines}\n`;
  try {
    parseCheckpoint(splitNote(note).text);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new CliError(
      `${file} is not a checkpoint: ${error.message} Save the lines of the email as they are, with the empty line.`,
      2,
    );
  }
  return { name: file, note };
}
