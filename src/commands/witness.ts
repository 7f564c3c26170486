import { join } from 'node:path';
import type { Command } from 'commander';
import { toOrigin } from '../config/index.ts';
import { toIsoMomentOrNull } from '../platform/clock.ts';
import { CliError } from '../platform/errors.ts';
import { createLogger } from '../platform/log.ts';
import { createWitnessServer, openWitness, type Witness } from '../privacy/witness/index.ts';
import { command, currentConfig, print, table } from './cli.ts';
import { assertServerUser } from './installation.ts';
import { listen } from './listen.ts';
import { listenHost, wholeNumber } from './options.ts';
import { describeDenial } from './permissions.ts';
import { waitForStop } from './stop-signals.ts';

const NAME = ['--name <name>', 'name of the witness, needed the first time'] as const;

/** `pavis witness …` */
export function witnessCommands(program: Command): void {
  const witness = command(
    program,
    'witness',
    'run a witness, which confirms that consent logs of other installations only grow',
  )
    .option(...NAME)
    .option('--host <address>', 'address to listen on', listenHost, '127.0.0.1')
    .option('--port <port>', 'port to listen on', wholeNumber(0, 65_535), 8788)
    .action(async ({ json, name, host, port }) => {
      const log = await createLogger(currentConfig().logLevel);
      await withWitness(name, async (opened) => {
        const server = createWitnessServer(opened, log);
        const stopped = waitForStop();
        await listen(server, { host, port }, { host: '--host', port: '--port' });
        const address = server.server.address();
        const url = toOrigin(host, typeof address === 'object' && address ? address.port : port);
        const { verifierKey } = opened;
        print(
          json,
          { url, name: opened.name, verifier_key: verifierKey },
          `The witness ${opened.name} listens at ${url}\nVerifier key: ${verifierKey}`,
        );
        await stopped;
        await server.close();
      });
    });

  command(witness, 'key', 'print the verifier key, which operators of logs enter in the console')
    .option(...NAME)
    .action(({ json, name }) =>
      withWitness(name, async ({ name: own, verifierKey }) => {
        print(json, { name: own, verifier_key: verifierKey }, verifierKey);
      }),
    );

  command(witness, 'add <key>', 'cosign the log with this verifier key')
    .option(...NAME)
    .action((key: string, { json, name }) =>
      withWitness(name, async (opened) => {
        const origin = await opened.addLog(key);
        print(json, { origin }, `The witness cosigns checkpoints of ${origin}.`);
      }),
    );

  command(witness, 'remove <origin>', 'cosign a log no longer').action((origin: string, { json }) =>
    withWitness(undefined, async (opened) => {
      await opened.removeLog(origin);
      print(json, { origin }, `The witness no longer cosigns checkpoints of ${origin}.`);
    }),
  );

  command(witness, 'list', 'list the logs and their newest cosigned checkpoints').action(
    ({ json }) =>
      withWitness(undefined, async (opened) => {
        const logs = (await opened.listLogs()).map((each) => ({
          origin: each.origin,
          size: each.size,
          root: Buffer.from(each.root).toString('base64'),
          cosigned_at: toIsoMomentOrNull(each.cosigned_at),
        }));
        const rows = logs.map(({ origin, size, cosigned_at }) => [
          origin,
          size,
          cosigned_at ?? 'not yet',
        ]);
        print(
          json,
          logs,
          rows.length === 0
            ? 'There are no logs yet. Add one with "pavis witness add KEY".'
            : table(['Log', 'Entries', 'Last cosigned'], rows),
        );
      }),
  );
}

async function withWitness(
  name: string | undefined,
  work: (witness: Witness) => Promise<void>,
): Promise<void> {
  const config = currentConfig();
  assertServerUser(config);
  const { dataDir } = config;
  const file = join(dataDir, 'witness', 'witness.db');
  const witness = await openWitness(file, name).catch((error) => {
    if (error instanceof CliError) throw error;
    throw new CliError(describeDenial(error, dataDir) ?? `cannot use ${file}: ${error.message}`);
  });
  try {
    await work(witness);
  } finally {
    await witness.close();
  }
}
