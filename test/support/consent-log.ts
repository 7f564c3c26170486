import { consentRecords } from '../../src/privacy/consent/index.ts';
import { toEntryColumns, verifyInstallation } from '../../src/privacy/consent-log/index.ts';
import { toLogFile } from '../../src/privacy/consent-log/log/open.ts';
import { ENTRY_BYTES } from '../../src/privacy/consent-log/log/rules.ts';
import { deleteLog, openLogFile } from '../../src/privacy/consent-log/log/store.ts';
import { createLogTables, type LogDb } from '../../src/privacy/consent-log/log/tables.ts';
import { openAppender } from '../../src/privacy/consent-log/sequencer/open.ts';
import type { TestApp } from './test-app.ts';

/** Logs every row of an application that has no entry yet, as the thread of a server does. */
export async function logAll({ config, platform, clock }: TestApp): Promise<void> {
  const appender = await openTestAppender({ config, platform });
  try {
    while ((await appender.append(clock.now())).hasMore);
  } finally {
    await appender.close();
  }
}

/** Verifies the log of an application in this thread. */
export const verifyLogOf = (
  { config, platform }: Pick<TestApp, 'config' | 'platform'>,
  options: Partial<Parameters<typeof verifyInstallation>[2]> = {},
) => {
  const { databaseUrl, dataDir } = config;
  const place = { databaseUrl, dataDir, declaration: consentRecords };
  return verifyInstallation(platform, place, { isDeep: true, threads: 0, ...options });
};

const LOG_TABLES = [
  'consent_log_bundles',
  'consent_log_tiles',
  'consent_log_ranges',
  'consent_log_head',
] as const;

/** Does something to the tables of the log, beside Pavis. */
export async function withLogTables<T>(
  { config, platform }: Pick<TestApp, 'config' | 'platform'>,
  work: (log: LogDb) => Promise<T>,
): Promise<T> {
  if (platform.datastore.engine === 'postgres')
    return work(platform.datastore.db as unknown as LogDb);
  const log = openLogFile(toLogFile(config.dataDir));
  try {
    await createLogTables(log);
    return await work(log);
  } finally {
    await log.destroy();
  }
}

/** Changes one bit of an entry of the first bundle. */
export const changeEntry = (
  app: Pick<TestApp, 'config' | 'platform'>,
  index: number,
): Promise<void> =>
  withLogTables(app, async (log) => {
    const bundles = log.selectFrom('consent_log_bundles').select('entries');
    const { entries } = await bundles.where('number', '=', 0).executeTakeFirstOrThrow();
    const changed = Buffer.from(entries);
    const at = index * ENTRY_BYTES + 20;
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    const update = log.updateTable('consent_log_bundles').set({ entries: changed });
    await update.where('number', '=', 0).execute();
  });

/** Copies the log. @returns a function that puts the copy in its place */
export const copyLog = (app: Pick<TestApp, 'config' | 'platform'>): Promise<() => Promise<void>> =>
  withLogTables(app, async (log) => {
    const rows: object[][] = [];
    for (const table of LOG_TABLES) rows.push(await log.selectFrom(table).selectAll().execute());
    return () =>
      withLogTables(app, async (target) => {
        await deleteLog(target);
        for (const [at, table] of LOG_TABLES.entries()) {
          for (const row of rows[at] ?? [])
            await target
              .insertInto(table)
              .values(row as never)
              .execute();
        }
      });
  });

/** The writer of the log with connections of its own, as a node has it. */
export const openTestAppender = (app: Pick<TestApp, 'config' | 'platform'>) =>
  openAppender(toAppenderOrder(app));

export const toAppenderOrder = ({ config, platform }: Pick<TestApp, 'config' | 'platform'>) => ({
  databaseUrl: config.databaseUrl,
  dataDir: config.dataDir,
  origin: 'www.example.com/pavis-consent',
  seed: platform.secret.key('consent log'),
  columns: toEntryColumns(consentRecords),
});

/** Adds a row to those that are logged, beside Pavis. */
export const addForeignFacts = async (
  { platform, clock }: TestApp,
  kind: number,
  facts: string,
): Promise<void> => {
  const row = { kind, facts, created_at: clock.now() };
  await platform.datastore.db.insertInto('consent_log_records').values(row).execute();
};
