import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { type Config, resolveAddresses, toConfig, toOrigin } from '../../src/config/index.ts';
import { loadExtensions } from '../../src/extensions/loading.ts';
import type { SignInScope } from '../../src/identity/users/index.ts';
import type { ValidationCounts } from '../../src/licensing/validation/index.ts';
import { openPlatform } from '../../src/modules/platform.ts';
import type { StorageWatch } from '../../src/operations/storage/index.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Platform } from '../../src/platform/deps.ts';
import type { Routes } from '../../src/platform/http/error-format.ts';
import { createLogger } from '../../src/platform/log.ts';
import { linkBrowser } from './browser.ts';
import { client, type HttpClient } from './client.ts';
import { createDatabase, type Engine } from './engines.ts';
import { dataFolder } from './process.ts';

/** A clock that only moves on request. */
export class TestClock implements Clock {
  #now = Date.parse('2026-11-21T09:30:00.000Z');
  #elapsed = 1;
  now = () => this.#now;
  monotonic = () => this.#elapsed;
  /** Sets the wall clock, as an administrator or a time server does. The monotonic clock stays. */
  set(iso: string): void {
    this.#now = Date.parse(iso);
  }
  /** Moves both clocks forward. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
    this.#elapsed += milliseconds;
  }
}

export interface TestApp {
  http: HttpClient;
  platform: Platform;
  config: Config;
  clock: TestClock;
  signIn: SignInScope;
  /** The log as one text. */
  logged(): string;
  url: string;
  /** Checks the disk space on request. */
  storage: StorageWatch;
  /** Writes the counts of validations on request. */
  validationCounts: ValidationCounts;
}

/**
 * The application with its own database and data folder on a free port, for the tests of one block. Rate limits
 * are off unless set.
 * @param prepare receives the server before it listens, for example to add routes
 */
export function useTestApp(
  engine: Engine,
  env: Record<string, string> = {},
  prepare: (server: Routes) => void = () => {},
): TestApp {
  const app = {} as TestApp;
  let close: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    const database = await createDatabase(engine);
    const folder = dataFolder();
    linkBrowser(folder.path);
    const lines: string[] = [];
    const log = await createLogger('info', { write: (line) => lines.push(line) });
    const config = toConfig({
      PAVIS_DATABASE_URL: database.url,
      PAVIS_DATA_DIR: folder.path,
      PAVIS_RATE_LIMIT_VALIDATE: 'off',
      PAVIS_RATE_LIMIT_ACTIVATE: 'off',
      PAVIS_RATE_LIMIT_DSAR: 'off',
      PAVIS_RATE_LIMIT_CHECKOUT: 'off',
      PAVIS_RATE_LIMIT_MAGIC_LINK: 'off',
      PAVIS_DEMO: 'off',
      ...env,
    });
    const clock = new TestClock();
    const platform = await openPlatform(config, { secret: randomBytes(32), log, clock });
    const { hooks, extensions: registry } = platform;
    await loadExtensions(config.extensions, { hooks, registry, log });
    let port = 0;
    const { server, modules } = await buildApp(config, platform, () =>
      resolveAddresses(config, port),
    );
    prepare(server);
    await server.listen({ host: '127.0.0.1', port });
    port = (server.server.address() as AddressInfo).port;
    const url = toOrigin(config.host, port);
    Object.assign(app, {
      http: client(url),
      platform,
      config,
      clock,
      signIn: modules.signIn,
      url,
      storage: modules.storage,
      validationCounts: modules.validationCounts,
      logged: () => lines.join(''),
    });
    close = async () => {
      server.server.closeAllConnections();
      await server.close();
      await platform.datastore.close();
      await database.drop();
      folder.remove();
    };
  });
  afterAll(() => close?.());
  return app;
}
