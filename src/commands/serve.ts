import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Config, loadSecret, resolveAddresses, toOrigin } from '../config/index.ts';
import { loadExtensions } from '../extensions/loading.ts';
import { removeMailDrafts } from '../mail/index.ts';
import type { BackgroundWork } from '../modules/module.ts';
import { openPlatform } from '../modules/platform.ts';
import { CliError } from '../platform/errors.ts';
import { createLogger, type Logger } from '../platform/log.ts';
import { PROJECT_ROOT } from '../platform/project-root.ts';
import { endStart } from '../platform/v8-limits.ts';
import { reapplyErasures } from '../privacy/dsar/index.ts';
import { describeAdministratorSetup, findAdministratorSetup } from './administrator-setup.ts';
import { command, currentConfig, orRefuse, prepareDatabase, print } from './cli.ts';
import { type FirstRun, firstRun } from './first-run.ts';
import { assertServerUser } from './installation.ts';
import { listen } from './listen.ts';
import { assertTiersKnown } from './price-tiers.ts';
import { waitForStop } from './stop-signals.ts';

/** `pavis serve`, which is what `npm start` runs. */
export function serveCommand(program: Command): void {
  command(program, 'serve', 'run the server').action(async ({ json }) => {
    const config = currentConfig();
    const log = await createLogger(config.logLevel);
    process.on('uncaughtException', (err) => {
      log.fatal({ err }, 'unexpected error, exiting');
      process.exit(1);
    });
    await serve(config, log, json);
  });
}

async function serve(config: Config, log: Logger, json: boolean | undefined): Promise<void> {
  assertServerUser(config);
  const platform = await orRefuse(config, () =>
    openPlatform(config, { secret: loadSecret(config), log }),
  );
  const background: BackgroundWork[] = [];
  try {
    await orRefuse(config, () => prepareDatabase(platform, config));
    await assertTiersKnown(platform, config);
    let port = config.port;
    const addresses = () => resolveAddresses(config, port);
    const { hooks, extensions: registry } = platform;
    await removeMailDrafts(config.mail.folder);
    await loadExtensions(config.extensions, { hooks, registry, log });
    warnWithoutFrontEnds(config, log);
    // Loaded here, so that the other commands start faster.
    const { buildApp } = await import('../app.ts');
    let isStarted = false;
    const { server, shutdown, modules } = await orRefuseTakenPath(async () => {
      const app = await buildApp(config, platform, addresses, () => isStarted);
      await app.server.ready();
      return app;
    });
    // A restored backup may hold people who were erased after it was made: erase them again before anyone is served.
    const dsar = modules.plugin?.dsar;
    if (dsar) {
      await orRefuse(config, () => reapplyErasures(dsar)).catch(async (error) => {
        await server.close();
        throw error;
      });
    }

    const stopped = waitForStop();
    await listen(server, config, { host: 'PAVIS_HOST', port: 'PAVIS_PORT' });
    port = (server.server.address() as AddressInfo).port;
    const url = toOrigin(config.host, port);
    const note = await firstRun(platform, config, addresses(), url).catch(async (error) => {
      // A server that still listens would keep a process alive that has no database any more.
      await server.close();
      throw error;
    });

    const setup = await findAdministratorSetup(platform, config, addresses().consoleUrl);
    isStarted = true;

    print(
      json,
      {
        url,
        base_url: addresses().baseUrl,
        rest_root: addresses().restRoot,
        first_run: note.file ?? null,
        setup_url: setup?.url ?? null,
      },
      welcome(url, addresses(), config, note, setup && describeAdministratorSetup(setup)),
    );
    if (process.stderr.isTTY || !log.isLevelEnabled('info'))
      process.stderr.write(`pavis is ready at ${url}\n`);
    else log.info({ url, pid: process.pid }, 'ready');

    // After "ready", so that nothing waiting for it is delayed.
    background.push(...modules.jobs());
    for (const each of background) each.start();

    endStart();

    const signal = await stopped;
    log.info({ signal }, 'stopping: finishing open requests');
    // Once: a worker whose database does not respond takes its whole grace period to stop.
    const working = background.splice(0);
    await Promise.all([shutdown.start(), ...working.map((each) => each.stop())]);
  } finally {
    await Promise.all(background.map((each) => each.stop()));
    await platform.datastore.close();
  }
}

/** The APIs work without the console and the banner, so a missing build does not stop the start. */
function warnWithoutFrontEnds({ services }: Config, log: Logger): void {
  if (!services.includes('plugin') || existsSync(join(PROJECT_ROOT, 'web/dist/console'))) return;
  log.warn(
    'the console and the banner are not built: stop the server, run "npm run prestart" and start the server again',
  );
}

/** @throws CliError (exit 2) if the path of an API is that of a page or of another API */
async function orRefuseTakenPath<T>(build: () => Promise<T>): Promise<T> {
  try {
    return await build();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'FST_ERR_DUPLICATED_ROUTE') throw error;
    const path = /'([^']+)'$/.exec(message)?.[1];
    throw new CliError(
      `PAVIS_BASE_URL or PAVIS_REST_ROOT has a path at which Pavis serves something else (${path}): set another path, for example https://example.com/wp-json`,
      2,
    );
  }
}

/** Names the public addresses, where people reach the server, not the one at which it listens behind a proxy. */
function welcome(
  url: string,
  { baseUrl, restRoot }: { baseUrl: string; restRoot: string },
  { demo, services }: Config,
  note: FirstRun,
  setup: string[] = [],
): string {
  const { origin } = new URL(services.includes('plugin') ? restRoot : baseUrl);
  const lines = [
    '',
    '  Pavis',
    '',
    `  Start page   ${origin}/`,
    ...(services.includes('plugin') ? [`  Console      ${origin}/admin/`] : []),
    ...(services.includes('licence') ? [`  Licence API  ${baseUrl}`] : []),
    `  Docs         ${origin}/docs`,
  ];
  if (services.includes('plugin')) lines.push(`  Requests     ${origin}/privacy/`);
  if (services.includes('licence'))
    lines.push(`  Accounts     ${new URL(baseUrl).origin}/account/`);
  if (demo) lines.push(`  Demo site    ${url}/demo/`);
  if (note.file) {
    lines.push('', `  Sign in with the login and password in ${note.file}`);
    lines.push(
      '  It also has a customer and two licences. Only you can read it; they are stored nowhere else.',
    );
  }
  if (note.isElsewhere) {
    lines.push(
      '',
      '  Sign in with the login and password in first-run.json, in the data folder of the node that',
      '  started first. It also has a customer and two licences.',
    );
  }
  if (setup.length > 0) lines.push('', ...setup);
  return [...lines, ''].join('\n');
}
